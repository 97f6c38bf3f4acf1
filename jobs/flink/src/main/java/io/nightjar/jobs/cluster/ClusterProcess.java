package io.nightjar.jobs.cluster;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Main class of cluster processes: starts a Flink process, and ends it with its parent process. */
public final class ClusterProcess {

    private static final int ORPHANED = 1;

    private ClusterProcess() {}

    /** Takes the name of Flink's main class, then its arguments. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread watch = new Thread(ClusterProcess::endWithParent, "parent-watch");
        watch.setDaemon(true);
        watch.start();

        Method main = Class.forName(args[0]).getMethod("main", String[].class);
        main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    }

    /**
     * Ends with the parent, which holds the other end of stdin and never writes: an end of file means that it is gone,
     * however it went.
     */
    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                continue;
            }
        } catch (IOException closed) {
            // as good as the end
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
