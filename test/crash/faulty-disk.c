/*
 * Loaded before the program (LD_PRELOAD): one of its reads, writes or syncs of a file fails as on a faulty or full disk.
 *
 *   FAULT_PATH  only calls on files count whose path begins so
 *   FAULT_LOG   a file: "write rolebook.db-wal" for each of these calls, and "fault" before the one that fails
 *   FAULT_AT    the number of the call that fails; 0 for none
 *   FAULT_KIND  "short": half is written, as a write may do; "full": half is written, then no write succeeds;
 *               "error": the call fails with EIO, and later ones succeed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;
static atomic_int is_full;

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? "" : value;
}

static void *original(const char *name) { return dlsym(RTLD_NEXT, name); }

static void say(const char *what, const char *path) {
  char line[4200];
  const char *name = strrchr(path, '/');
  int length = snprintf(line, sizeof line, "%s %s\n", what, name == NULL ? path : name + 1);
  int log = open(setting("FAULT_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ssize_t (*write_)(int, const void *, size_t) = original("write");
  if (log < 0) return;
  if (write_(log, line, (size_t)length) < 0) abort();
  close(log);
}

/* What this call does: fails ("error"), writes half ("short", "full"), finds no room ("none") or goes on (""). */
static const char *fate(const char *what, int file) {
  char link[64], path[4096];
  const char *wanted = setting("FAULT_PATH");
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  int saved = errno;
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = saved;
  if (length < 0) return "";
  path[length] = 0;
  if (*wanted == 0 || strncmp(path, wanted, strlen(wanted)) != 0) return "";
  long call = ++calls;
  if (call == atol(setting("FAULT_AT"))) {
    say("fault", path);
    say(what, path);
    if (strcmp(setting("FAULT_KIND"), "full") == 0) is_full = 1;
    return setting("FAULT_KIND");
  }
  say(what, path);
  return is_full && strcmp(what, "write") == 0 ? "none" : "";
}

static int fails(const char *fate) {
  if (strcmp(fate, "error") == 0) errno = EIO;
  else if (strcmp(fate, "none") == 0) errno = ENOSPC;
  else return 0;
  return 1;
}

/* The number of bytes to write. A byte has no half. */
static size_t part(const char *fate, size_t size) { return *fate == 0 || size == 1 ? size : size / 2; }

ssize_t write(int file, const void *data, size_t size) {
  ssize_t (*write_)(int, const void *, size_t) = original("write");
  const char *found = fate("write", file);
  return fails(found) ? -1 : write_(file, data, part(found, size));
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
  ssize_t (*pwrite_)(int, const void *, size_t, off64_t) = original("pwrite64");
  const char *found = fate("write", file);
  return fails(found) ? -1 : pwrite_(file, data, part(found, size), at);
}

int ftruncate64(int file, off64_t size) {
  int (*ftruncate_)(int, off64_t) = original("ftruncate64");
  return fails(fate("truncate", file)) ? -1 : ftruncate_(file, size);
}

ssize_t read(int file, void *data, size_t size) {
  ssize_t (*read_)(int, void *, size_t) = original("read");
  return fails(fate("read", file)) ? -1 : read_(file, data, size);
}

ssize_t pread64(int file, void *data, size_t size, off64_t at) {
  ssize_t (*pread_)(int, void *, size_t, off64_t) = original("pread64");
  return fails(fate("read", file)) ? -1 : pread_(file, data, size, at);
}

int fsync(int file) {
  int (*fsync_)(int) = original("fsync");
  return fails(fate("sync", file)) ? -1 : fsync_(file);
}

int fdatasync(int file) {
  int (*fdatasync_)(int) = original("fdatasync");
  return fails(fate("sync", file)) ? -1 : fdatasync_(file);
}
