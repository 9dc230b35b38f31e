/* Loaded into a process (LD_PRELOAD), it sets the process's wall clock an hour ahead; no other clock. */
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define AHEAD 3600

int clock_gettime(clockid_t which, struct timespec *at) {
    int failed = (int)syscall(SYS_clock_gettime, which, at);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) at->tv_sec += AHEAD;
    return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    if (!failed && at) *at = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return failed;
}

time_t time(time_t *at) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return (time_t)-1;
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
