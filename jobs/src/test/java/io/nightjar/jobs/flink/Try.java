package io.nightjar.jobs.flink;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.*;
import io.nightjar.jobs.local.*;
import java.nio.file.*;
import java.util.*;

public class Try {
    public static void main(String[] a) throws Exception {
        List<IsolationLevel> levels = new ArrayList<>();
        for (String l : a[1].split(",")) levels.add(IsolationLevel.byName(l));
        CheckOptions o = new CheckOptions(
                levels,
                CheckOptions.Evidence.valueOf(a[2]),
                null,
                0,
                100,
                a.length > 4 ? Path.of(a[4]) : null,
                null,
                new CheckOptions.Search(60_000_000_000L * 20, 0, false),
                Set.of(),
                null,
                null,
                2,
                Runtime.getRuntime().maxMemory(),
                Path.of("/tmp"));
        FlinkEngine e = new FlinkEngine(o, new FlinkOptions(Integer.parseInt(a[3]), null), "x", Watcher.NOBODY);
        for (int i = 0; i < 2; i++) {
            long t = System.nanoTime();
            RunResult r = e.check(Path.of(a[0]), null);
            System.out.println(RunResultJson.write(r));
            System.out.println((System.nanoTime() - t) / 1e9);
        }
        e.close();
        System.exit(0);
    }
}
