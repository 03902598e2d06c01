/* Since OpenCL 1.1; libfakecl_old does not have them. */
#include "parts.h"

API cl_int clSetEventCallback(cl_event e, cl_int status, cl_event_notify notify, void *user);
cl_int clSetEventCallback(cl_event e, cl_int status, cl_event_notify notify, void *user)
{
    if (control.callback)
        return control.callback;
    pthread_mutex_lock(&events_lock);
    int already = e->status <= status;
    if (!already) {
        e->notify[e->callbacks] = notify;
        e->user[e->callbacks++] = user;
    }
    pthread_mutex_unlock(&events_lock);
    if (already)
        notify(e, e->status, user);
    return CL_SUCCESS;
}
