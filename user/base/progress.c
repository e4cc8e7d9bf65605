/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/progress.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define BAR_WIDTH	20
#define LINE_WIDTH	79
/* On something that is no terminal: a line each 25 percent, and between where those take long. */
#define PLAIN_STEP	25
#define PLAIN_PAUSE_S	20

void pgt_progress_init(struct pgt_progress *progress, FILE *stream)
{
	*progress = (struct pgt_progress){
		.stream = stream,
		.terminal = isatty(fileno(stream)),
	};
}

static time_t monotonic_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static int percent(uint64_t done, uint64_t total)
{
	if (done >= total)
		return 100;
	return (int)((double)done * 100 / (double)total);
}

static void draw_bar(struct pgt_progress *progress, int now)
{
	char bar[BAR_WIDTH + 1], line[LINE_WIDTH + 1];
	int full = now * BAR_WIDTH / 100;

	memset(bar, '-', BAR_WIDTH);
	memset(bar, '#', (size_t)full);
	bar[BAR_WIDTH] = '\0';
	/* Cut, so that the line does not wrap: a wrapped line cannot be drawn over. */
	if (snprintf(line, sizeof(line), "%.40s [%s] %3d%% %s", progress->phase, bar, now,
		     progress->detail) < 0)
		return;
	fprintf(progress->stream, "\r%s\033[K", line);
	fflush(progress->stream);
	progress->drawn = true;
}

static void clear_bar(struct pgt_progress *progress)
{
	if (progress->drawn)
		fputs("\r\033[K", progress->stream);
	progress->drawn = false;
}

void pgt_progress_begin(struct pgt_progress *progress, uint64_t total, const char *fmt, ...)
{
	va_list args;

	if (!progress)
		return;
	va_start(args, fmt);
	vsnprintf(progress->phase, sizeof(progress->phase), fmt, args);
	va_end(args);
	progress->detail[0] = '\0';
	progress->total = total;
	progress->shown = 0;
	progress->shown_at = monotonic_s();
	if (progress->terminal && total)
		draw_bar(progress, 0);
	else
		fprintf(progress->stream, "%s\n", progress->phase);
	fflush(progress->stream);
}

void pgt_progress_update(struct pgt_progress *progress, uint64_t done)
{
	int now;

	if (!progress || !progress->total)
		return;
	now = percent(done, progress->total);
	if (now <= progress->shown)
		return;
	if (now == 100)
		progress->detail[0] = '\0';
	if (progress->terminal) {
		draw_bar(progress, now);
	} else {
		if (now / PLAIN_STEP == progress->shown / PLAIN_STEP &&
		    monotonic_s() - progress->shown_at < PLAIN_PAUSE_S)
			return;
		fprintf(progress->stream, "%s: %d%%\n", progress->phase, now);
		fflush(progress->stream);
	}
	progress->shown = now;
	progress->shown_at = monotonic_s();
}

void pgt_progress_detail(struct pgt_progress *progress, const char *text)
{
	if (!progress || !progress->total || !strncmp(progress->detail, text,
						      sizeof(progress->detail) - 1))
		return;
	snprintf(progress->detail, sizeof(progress->detail), "%s", text);
	if (progress->terminal) {
		draw_bar(progress, progress->shown);
	} else if (monotonic_s() - progress->shown_at >= PLAIN_PAUSE_S) {
		fprintf(progress->stream, "%s: %s\n", progress->phase, progress->detail);
		fflush(progress->stream);
		progress->shown_at = monotonic_s();
	}
}

void pgt_progress_end(struct pgt_progress *progress)
{
	if (!progress)
		return;
	if (progress->drawn)
		fputc('\n', progress->stream);
	progress->drawn = false;
	progress->total = 0;
	fflush(progress->stream);
}

void pgt_progress_note(struct pgt_progress *progress, const char *fmt, ...)
{
	bool redraw;
	va_list args;

	if (!progress)
		return;
	redraw = progress->drawn;
	clear_bar(progress);
	va_start(args, fmt);
	vfprintf(progress->stream, fmt, args);
	va_end(args);
	fputc('\n', progress->stream);
	if (redraw)
		draw_bar(progress, progress->shown);
	fflush(progress->stream);
}
