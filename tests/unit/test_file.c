/* SPDX-License-Identifier: GPL-2.0-only */
/* file.c: whole files or none. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"

static char dir[] = "/tmp/pgtrace-test-file.XXXXXX";

static void enter(void)
{
	cr_assert(not(zero(ptr, mkdtemp(dir))));
	cr_assert(zero(int, chdir(dir)));
}

static void leave(void)
{
	DIR *stream = opendir(".");
	struct dirent *entry;

	while (stream && (entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			remove(entry->d_name);
	if (stream)
		closedir(stream);
	cr_expect(zero(int, rmdir(dir)));
}

TestSuite(file, .init = enter, .fini = leave);

static int count_files(void)
{
	DIR *stream = opendir(".");
	struct dirent *entry;
	int n = 0;

	while ((entry = readdir(stream)))
		n += entry->d_name[0] != '.';
	closedir(stream);
	return n;
}

static void write_file(const char *path, const char *text)
{
	struct pgt_file_out out;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_file_out_open(&out, path, &diag)), "%s", diag.text);
	fputs(text, out.stream);
	cr_assert(zero(int, pgt_file_out_commit(&out, &diag)), "%s", diag.text);
	pgt_file_out_release(&out);
}

Test(file, comes_back_whole)
{
	struct pgt_buf buf = PGT_BUF_INIT;
	struct pgt_diag diag = { "" };

	write_file("f", "one\ntwo\n");
	cr_expect(eq(int, count_files(), 1));
	cr_assert(zero(int, pgt_file_read("f", &buf, &diag)));
	cr_expect(eq(str, buf.at, "one\ntwo\n"));
	pgt_buf_release(&buf);
	cr_assert(zero(int, pgt_file_read_line("f", &buf, &diag)));
	cr_expect(eq(str, buf.at, "one"));
	pgt_buf_release(&buf);
}

Test(file, is_replaced_by_a_buffer)
{
	struct pgt_buf text = PGT_BUF_INIT, read = PGT_BUF_INIT;
	struct pgt_diag diag = { "" };

	write_file("f", "something longer");
	cr_assert(zero(int, pgt_buf_add(&text, "a\0b\n", 4)));
	cr_assert(zero(int, pgt_file_write("f", &text, &diag)), "%s", diag.text);
	cr_assert(zero(int, pgt_file_read("f", &read, &diag)));
	cr_assert(eq(sz, read.len, 4));
	cr_expect(zero(int, memcmp(read.at, "a\0b\n", 4)));
	pgt_buf_release(&read);
	pgt_buf_release(&text);
	cr_assert(zero(int, pgt_file_write("f", &text, &diag)), "nothing is something to write");
	cr_assert(zero(int, pgt_file_read("f", &read, &diag)));
	cr_expect(eq(sz, read.len, 0));
	cr_expect(eq(int, pgt_file_write("no/such/f", &text, &diag), -ENOENT));
	cr_expect(eq(int, count_files(), 1));
	pgt_buf_release(&read);
}

Test(file, that_could_not_be_written_is_not_finished)
{
	struct pgt_buf read = PGT_BUF_INIT;
	struct pgt_file_out out;
	struct pgt_diag diag = { "" };

	write_file("f", "old");
	cr_assert(zero(int, pgt_file_out_open(&out, "f", &diag)));
	fputs("new", out.stream);
	cr_expect(eq(int, pgt_file_out_finish(&out, -EPROTO, &diag), -EPROTO));
	cr_assert(zero(int, pgt_file_out_open(&out, "/dev/full", &diag)));
	fputs("new", out.stream);
	cr_expect(eq(int, pgt_file_out_finish(&out, 0, &diag), -ENOSPC));
	cr_assert(zero(int, pgt_file_read("f", &read, &diag)));
	cr_expect(eq(str, read.at, "old"));
	cr_expect(eq(int, count_files(), 1));
	pgt_buf_release(&read);
}

Test(file, that_is_not_committed_leaves_the_old_one)
{
	struct pgt_file_out out;
	struct pgt_buf buf = PGT_BUF_INIT;
	struct pgt_diag diag = { "" };

	write_file("f", "old");
	cr_assert(zero(int, pgt_file_out_open(&out, "f", &diag)));
	fputs("new", out.stream);
	pgt_file_out_release(&out);
	cr_expect(eq(int, count_files(), 1));
	cr_assert(zero(int, pgt_file_read("f", &buf, &diag)));
	cr_expect(eq(str, buf.at, "old"));
	pgt_buf_release(&buf);
}

Test(file, names_what_cannot_be_opened)
{
	struct pgt_buf buf = PGT_BUF_INIT;
	struct pgt_file_out out;
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, pgt_file_read("absent", &buf, &diag), -ENOENT));
	cr_expect(eq(str, diag.text, "absent: cannot open: No such file or directory"));
	cr_expect(eq(int, pgt_file_out_open(&out, "no/such/f", &diag), -ENOENT));
	cr_expect(eq(str, diag.text, "no/such/f: cannot create: No such file or directory"));
}

Test(file, that_is_a_directory_is_not_read)
{
	struct pgt_buf buf = PGT_BUF_INIT;
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, pgt_file_read(".", &buf, &diag), -EIO));
	cr_expect(eq(str, diag.text, ".: cannot read: Is a directory"));
	pgt_buf_release(&buf);
}

Test(file, that_fills_the_disk_fails)
{
	struct pgt_file_out out;
	struct pgt_diag diag = { "" };

	cr_assert(not(zero(ptr, freopen("/dev/full", "w", stdout))));
	cr_assert(zero(int, pgt_file_out_open(&out, "-", &diag)));
	fputs("x", out.stream);
	cr_expect(lt(int, pgt_file_out_commit(&out, &diag), 0));
	cr_expect(eq(str, diag.text, "standard output: cannot write: No space left on device"));
	pgt_file_out_release(&out);
}

/* Of the name itself: a link is a link. */
static mode_t type_of(const char *path)
{
	struct stat status;

	cr_assert(zero(int, lstat(path, &status)));
	return status.st_mode & S_IFMT;
}

Test(file, that_is_a_device_is_written_directly)
{
	write_file("/dev/null", "x");
	cr_expect(eq(int, (int)type_of("/dev/null"), S_IFCHR));
}

Test(file, that_is_a_full_device_fails_at_commit)
{
	struct pgt_file_out out;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_file_out_open(&out, "/dev/full", &diag)), "%s", diag.text);
	fputs("x", out.stream);
	cr_expect(eq(int, pgt_file_out_commit(&out, &diag), -ENOSPC));
	cr_expect(eq(str, diag.text, "/dev/full: cannot write: No space left on device"));
	pgt_file_out_release(&out);
	cr_expect(eq(int, (int)type_of("/dev/full"), S_IFCHR));
}

Test(file, that_is_a_fifo_is_written_directly)
{
	char text[8] = "";
	int fd;

	cr_assert(zero(int, mkfifo("fifo", 0600)));
	fd = open("fifo", O_RDONLY | O_NONBLOCK);	/* or the writer would wait for a reader */
	cr_assert(ge(int, fd, 0));
	write_file("fifo", "through");
	cr_expect(eq(long, (long)read(fd, text, sizeof(text)), 7L));
	cr_expect(eq(str, text, "through"));
	close(fd);
	cr_expect(eq(int, (int)type_of("fifo"), S_IFIFO));
	cr_expect(eq(int, count_files(), 1));
}

Test(file, that_is_a_link_stays_one)
{
	struct pgt_buf buf = PGT_BUF_INIT;
	struct pgt_diag diag = { "" };

	write_file("f", "old");
	cr_assert(zero(int, symlink("f", "link")));
	write_file("link", "new");
	cr_expect(eq(int, (int)type_of("link"), S_IFLNK));
	cr_assert(zero(int, pgt_file_read("f", &buf, &diag)));
	cr_expect(eq(str, buf.at, "new"));
	cr_expect(eq(int, count_files(), 2));
	pgt_buf_release(&buf);
}

Test(file, that_is_standard_output_by_another_name_is_not_begun_anew)
{
	struct pgt_buf buf = PGT_BUF_INIT;
	struct pgt_file_out out;
	struct pgt_diag diag = { "" };

	cr_assert(not(zero(ptr, freopen("f", "w", stdout))));
	printf("before ");
	cr_assert(zero(int, pgt_file_out_open(&out, "/dev/fd/1", &diag)), "%s", diag.text);
	fputs("after", out.stream);
	cr_expect(zero(int, pgt_file_out_commit(&out, &diag)), "%s", diag.text);
	pgt_file_out_release(&out);
	cr_assert(zero(int, pgt_file_read("f", &buf, &diag)));
	cr_expect(eq(str, buf.at, "before after"));
	pgt_buf_release(&buf);
}

Test(file, that_cannot_be_written_is_refused_at_once)
{
	struct pgt_file_out out;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, mkdir("d", 0755)));
	cr_expect(eq(int, pgt_file_out_open(&out, "d", &diag), -EISDIR));
	cr_expect(eq(str, diag.text, "d: cannot write: it is a directory"));
	cr_expect(eq(int, pgt_file_out_open(&out, "d/", &diag), -EISDIR));
	cr_expect(eq(int, pgt_file_out_open(&out, "", &diag), -ENOENT));
	cr_expect(eq(int, count_files(), 1));
}

Test(file, standard_output_that_is_full_fails)
{
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_stdout_flush(&diag)));
	cr_assert(not(zero(ptr, freopen("/dev/full", "w", stdout))));
	printf("x");
	cr_expect(eq(int, pgt_stdout_flush(&diag), -ENOSPC));
	cr_expect(eq(str, diag.text, "standard output: cannot write: No space left on device"));
}

Test(file, directories_are_made_on_the_way)
{
	struct pgt_diag diag = { "" };
	struct stat status;

	cr_assert(zero(int, pgt_dir_make("a/b/c", &diag)), "%s", diag.text);
	cr_expect(zero(int, stat("a/b/c", &status)));
	cr_expect(zero(int, pgt_dir_make("a/b/c", &diag)));
	rmdir("a/b/c");
	rmdir("a/b");
	rmdir("a");
	write_file("f", "");
	cr_expect(eq(int, pgt_dir_make("f/g", &diag), -ENOTDIR));
	cr_expect(eq(int, pgt_dir_make("f", &diag), -ENOTDIR), "a file is no directory");
	cr_expect(eq(int, pgt_dir_make("", &diag), -ENOENT));
}

Test(file, directories_are_checked_and_not_made)
{
	struct pgt_diag diag = { "" };

	write_file("f", "");
	cr_expect(zero(int, pgt_dir_check("a/b/c", &diag)), "%s", diag.text);
	cr_expect(zero(int, pgt_dir_check("a", &diag)), "%s", diag.text);
	cr_expect(zero(int, pgt_dir_check(".", &diag)), "%s", diag.text);
	cr_expect(zero(int, pgt_dir_check("/tmp/", &diag)), "%s", diag.text);
	cr_expect(eq(int, pgt_dir_check("f", &diag), -ENOTDIR));
	cr_expect(eq(int, pgt_dir_check("f/g/h", &diag), -ENOTDIR));
	cr_expect(eq(str, diag.text, "f/g/h: cannot make the directory: Not a directory"));
	cr_expect(eq(int, pgt_dir_check("", &diag), -EINVAL));
	cr_expect(eq(int, count_files(), 1));
}
