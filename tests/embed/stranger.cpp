/* The doors are usable from C++: a conversation, answered into a string. */
#include <rookery/rookery.h>

#include <cstdio>
#include <string>

static void send(void *context, const char *line, size_t length, rk_weight)
{
    static_cast<std::string *>(context)->append(line, length);
}

int main()
{
    std::string said;
    rk_host host{};
    host.context = &said;
    host.go = [](void *, const rk_request *) { return RK_BUSY; };
    host.stop = [](void *) {};
    host.ponderhit = [](void *, int64_t) {};
    host.new_game = [](void *, uint64_t, bool) {};
    host.send = send;
    rk_session *session = nullptr;
    if (rk_session_create(&host, &session) != RK_OK)
        return 1;
    rk_session_options options{};
    options.size = sizeof options;
    options.session = 1;
    options.table_mib = 1;
    options.threads = 1;
    rk_session_reset(session, &options);
    rk_session_line(session, "uci", 3, rk_now_us());
    rk_session_line(session, "isready", 7, rk_now_us());
    rk_session_destroy(session);
    std::fputs(said.c_str(), stdout);
    return said.find("uciok\n") != std::string::npos && said.find("readyok\n") != std::string::npos
               ? 0
               : 1;
}
