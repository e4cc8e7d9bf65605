/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd.h - the commands, one file each, for the table in main.c.
 *
 * argv[0] is the command's name.  Each prints at most one line on stderr when it fails, and
 * returns the exit status of the program: 0 done, 1 failed, 2 used wrongly; more in the help
 * of each.
 */
#ifndef PGT_CMD_CMD_H
#define PGT_CMD_CMD_H

int pgt_cmd_record(int argc, char **argv);
int pgt_cmd_list(int argc, char **argv);
int pgt_cmd_host(int argc, char **argv);
int pgt_cmd_compare(int argc, char **argv);
int pgt_cmd_steps(int argc, char **argv);
int pgt_cmd_linear_map(int argc, char **argv);
int pgt_cmd_lab(int argc, char **argv);

#endif /* PGT_CMD_CMD_H */
