/* What handlers print. */
#include "hpu.h"

uint32_t spin_isle_print(uint32_t from, uint32_t length, uint32_t c, uint32_t d);

/* One byte as it is written: 1 to 4 bytes. */
static uint32_t escaped(uint8_t byte, char out[4])
{
    static const char digits[] = "0123456789abcdef";
    out[0] = (char)byte;
    if (byte == '\n' || (byte >= 0x20 && byte < 0x7f))
        return 1;
    out[0] = '\\';
    out[1] = byte == '\t' ? 't' : byte == '\r' ? 'r' : 'x';
    out[2] = digits[byte >> 4];
    out[3] = digits[byte & 15];
    return out[1] == 'x' ? 4 : 2;
}

/* One at a time: a text is not torn apart, and if it does not fit it is lost as a whole. */
static void append(isle_spin_rings *r, const uint8_t *text, uint32_t length)
{
    char piece[4];
    uint64_t written = r->text_written, taken = __atomic_load_n(&r->text_taken, __ATOMIC_ACQUIRE), room = ISLE_SPIN_TEXT - (written - taken), size = 0;
    for (uint32_t i = 0; i < length; i++)
        size += escaped(text[i], piece);
    if (written - taken > ISLE_SPIN_TEXT || size > room) {
        spin_count(&r->counters.text_lost, length);
        return;
    }
    for (uint32_t i = 0; i < length; i++)
        for (uint32_t n = escaped(text[i], piece), k = 0; k < n; k++)
            r->text[written++ % ISLE_SPIN_TEXT] = (uint8_t)piece[k];
    __atomic_store_n(&r->text_written, written, __ATOMIC_RELEASE);
}

uint32_t spin_isle_print(uint32_t from, uint32_t length, uint32_t c, uint32_t d)
{
    struct spin_context *x = spin_self->context;
    const uint8_t *text = spin_range(x, from, length, false);
    (void)c;
    (void)d;
    if (!text || length > ISLE_SPIN_TEXT / 4) {
        spin_count(&x->rings->counters.failed, 1);
        return 1;
    }
    pthread_mutex_lock(&x->text_lock);
    append(x->rings, text, length);
    pthread_mutex_unlock(&x->text_lock);
    return 0;
}
