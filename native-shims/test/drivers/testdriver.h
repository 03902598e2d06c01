#ifndef ISLE_TESTDRIVER_H
#define ISLE_TESTDRIVER_H

#include <stdbool.h>

#include "isle_kabi.h"

enum {
    TEST_ACTION_COMPLETE = 0, /* before submit_commands returns */
    TEST_ACTION_HOLD = 1,
    TEST_ACTION_TWICE = 2,
    TEST_ACTION_REFUSE = 3,
    TEST_ACTION_COMPLETE_AND_REFUSE = 4,
    TEST_ACTION_WRONG_TAG = 5,
    TEST_ACTION_WRONG_STATUS = 6,
    TEST_ACTION_RELEASE = 7 /* ends what is held, then itself */
};

#endif
