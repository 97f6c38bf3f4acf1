package io.nightjar.jobs.command;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Turns the first Ctrl-C or SIGTERM into a request to end in order, and the second into an end. */
public final class StopSignals {

    /** The exit code that a shell reports for an interrupted program. */
    public static final int INTERRUPTED = 130;

    private StopSignals() {}

    /** Runs this at the first signal instead of ending the process. */
    public static void onFirst(Runnable stop) {
        onFirst(isInterrupt -> stop.run());
    }

    /** Calls back on the first signal, with whether it was Ctrl-C. */
    public static void onFirst(Consumer<Boolean> stop) {
        AtomicInteger count = new AtomicInteger();
        for (String name : new String[] {"INT", "TERM"}) {
            handle(name, () -> {
                if (count.incrementAndGet() == 1) {
                    stop.accept("INT".equals(name));
                } else {
                    end(INTERRUPTED);
                }
            });
        }
    }

    /** Ends the process at once; output is flushed, and later failures are not reported. */
    private static void end(int code) {
        Terminal.silence();
        System.out.flush();
        System.exit(code);
    }

    /**
     * Sets a handler by reflection, because the compiler warns of every other mention; without the class, signals end
     * the process.
     */
    private static void handle(String name, Runnable handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            InvocationHandler calls = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    handler.run();
                }
                return null;
            };
            Object handling = Proxy.newProxyInstance(handlers.getClassLoader(), new Class<?>[] {handlers}, calls);
            signal.getMethod("handle", signal, handlers)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), handling);
        } catch (ReflectiveOperationException notThere) {
            Terminal.printNote("signals end this process at once: signal=" + name);
        }
    }
}
