/*
 * Preloaded into a server, makes its disk slow while a switch file exists: each fsync and fdatasync takes 20 ms longer,
 * and so does the first read of a page of one file, unless the process has written that page. Other threads go on.
 *
 *   SLOW_DISK_SWITCH    the switch file
 *   SLOW_DISK_READS_OF  the file whose reads are delayed; unset: none
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { page_size = 4096, pages = 1 << 24 };

/* A bit for each page of a file of up to 64 GiB. */
static atomic_uchar in_memory[pages / 8];

static int is_on(void) {
    const char *path = getenv("SLOW_DISK_SWITCH");
    int before = errno;
    int on = path != NULL && access(path, F_OK) == 0;
    errno = before;
    return on;
}

static void delay(void) {
    struct timespec left = {0, 20 * 1000 * 1000};
    int before = errno;
    while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
    errno = before;
}

static int is_slow_file(int fd) {
    const char *path = getenv("SLOW_DISK_READS_OF");
    struct stat slow, other;
    int before = errno;
    int same = path != NULL && stat(path, &slow) == 0 && fstat(fd, &other) == 0 && slow.st_dev == other.st_dev &&
               slow.st_ino == other.st_ino;
    errno = before;
    return same;
}

/* Returns whether a page of the range was not in memory. */
static int bring_to_memory(off64_t offset, size_t count) {
    int was_missing = 0;
    for (off64_t page = offset / page_size; page * page_size < offset + (off64_t)count && page < pages; page++) {
        unsigned char bit = 1 << (page % 8);
        was_missing |= !(atomic_fetch_or(&in_memory[page / 8], bit) & bit);
    }
    return was_missing;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int fd) {
    if (is_on()) delay();
    return REAL(fsync)(fd);
}

int fdatasync(int fd) {
    if (is_on()) delay();
    return REAL(fdatasync)(fd);
}

ssize_t pread64(int fd, void *buffer, size_t count, off64_t offset) {
    if (is_on() && is_slow_file(fd) && bring_to_memory(offset, count)) delay();
    return REAL(pread64)(fd, buffer, count, offset);
}

ssize_t pwrite64(int fd, const void *buffer, size_t count, off64_t offset) {
    if (is_on() && is_slow_file(fd)) bring_to_memory(offset, count);
    return REAL(pwrite64)(fd, buffer, count, offset);
}

/* Reads through a mapping could not be delayed. SQLite reads by pread64 when a file cannot be mapped. */
void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset) {
    if (fd >= 0 && is_slow_file(fd)) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    return REAL(mmap64)(address, length, protection, flags, fd, offset);
}
