package io.nightjar.jobs.cli;

import io.nightjar.formats.level.Anomaly;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Small histories, one for each type of anomaly, with the transactions that each rendering marks as at fault.
 *
 * @param level the level to check
 * @param options further options of the check
 * @param faults the marked transactions, with the marked operation if it has one: {@code T2 r(x,1)}; ordered
 */
record AnomalyExamples(Anomaly anomaly, String level, List<String> options, List<String> faults, String history) {

    /** Types that no check finds: real time is not checked together with predicates. */
    static final Set<Anomaly> WITHOUT_EXAMPLE =
            EnumSet.of(Anomaly.G_SINGLE_REALTIME, Anomaly.G_NONADJACENT_REALTIME, Anomaly.G2_REALTIME);

    private static final String SESSIONS = "strong-session-serializable";
    private static final String REALTIME = "strong-serializable";
    private static final String IS_5 = "p[t](\"c = 5\",[],0)";
    private static final String IS_6 = "p[t](\"c = 6\",[],0)";

    static List<AnomalyExamples> all() {
        List<AnomalyExamples> all = new ArrayList<>();
        all.add(of("SESSION", "si", "T2", "s1 T1 [1,5]: w(x,1)", "s1 T2 [3,6]: w(y,1)"));
        all.add(of("INT", "si", "T1 r(x,2)", "s1 T1 [1,2]: w(x,1) r(x,1) r(x,2)"));
        all.add(of("EXT", "si", "T2 r(x,_)", "s1 T1 [1,2]: w(x,1)", "s2 T2 [3,4]: r(x,_)"));
        all.add(of("NOCONFLICT", "si", "T2 w(x,2)", "s1 T1 [1,3]: w(x,1)", "s2 T2 [2,4]: w(x,2)"));
        all.add(of("TIMESTAMP-ORDER", "si", "T1", "s1 T1 [5,3]: w(x,1)"));
        all.add(of("G1a", "rc", "T3 r(x,1)", "s1 T1!: w(x,1)", "s2 T2: w(x,2)", "s3 T3: r(x,2) r(x,1)"));
        all.add(of("G1b", "rc", "T2 r(x,1)", "s1 T1: w(x,1) w(x,2)", "s2 T2: r(x,2) r(x,1)"));
        all.add(of("garbage-read", "rc", "T2 r(x,9)", "s1 T1: w(x,1)", "s2 T2: r(x,1) r(x,9)"));
        all.add(of("internal", "rc", "T1 r(x,_)", "s1 T1: w(x,1) r(x,1) r(x,_)"));
        all.add(of("future-read", "rc", "T1 r(x,1)", "s1 T1: r(x,_) r(x,1) w(x,1)"));
        all.add(of(
                "duplicate-write",
                "si",
                "T1 w(x,1); T2 w(x,1)",
                "s1 T1: w(x,1) w(y,1)",
                "s2 T2: w(y,2) w(x,1)",
                "s3 T3: r(x,1)"));
        all.add(of("duplicate-elements", "rc", "T2 r(l,[1,1])", "s1 T1: append(l,1)", "s2 T2: r(l,[1]) r(l,[1,1])"));
        all.add(of(
                "incompatible-order",
                "rc",
                "T3 r(l,[1,2]); T4 r(l,[2])",
                "s1 T1: append(l,1)",
                "s2 T2: append(l,2)",
                "s3 T3: r(l,[]) r(l,[1,2])",
                "s4 T4: r(l,[]) r(l,[2])"));
        all.add(of(
                "dirty-update",
                "PL-2",
                "T2 append(l,2)",
                "s1 T1!: append(l,1)",
                "s2 T2: append(l,2)",
                "s3 T3: r(l,[1,2])"));
        all.add(of("lost-update", "PL-SI", "T1 w(x,1); T2 w(x,2)", "s1 T1: r(x,_) w(x,1)", "s2 T2: r(x,_) w(x,2)"));
        all.add(of("cyclic-versions", "PL-1", "", "s1 T1: w(x,1)", "s1 T2: r(x,_)")
                .with("--version-order", "session"));
        all.add(of(
                "G0",
                "PL-1",
                "",
                "s1 T1: append(x,1) append(y,1)",
                "s2 T2: append(x,2) append(y,2)",
                "s3 T3: r(x,[1,2]) r(y,[2,1])"));
        all.add(of("G0-process", "strong-session-snapshot-isolation", "", "s2 T1: w(x,1)@2", "s2 T2: w(x,2)@1"));
        all.add(of(
                "G0-realtime",
                REALTIME,
                "",
                "s1 T1 <3,4>: append(x,1)",
                "s2 T2 <1,2>: append(x,2)",
                "s3 T3 <5,6>: r(x,[1,2])"));
        all.add(of("G1c", "PL-2", "", "s1 T1: w(x,1) r(y,1)", "s2 T2: w(y,1) r(x,1)"));
        all.add(of("G1c-process", SESSIONS, "", "s1 T1: r(x,1)", "s1 T2: w(x,1)"));
        all.add(of("G1c-realtime", REALTIME, "", "s1 T1 <1,2>: r(x,1)", "s2 T2 <3,4>: w(x,1)"));
        all.add(of(
                "G-single-item",
                "PL-SI",
                "",
                "s1 T1: append(x,2) r(y,[])",
                "s2 T2: append(x,1) append(y,1)",
                "s3 T3: r(x,[1,2])"));
        all.add(of("G-single-item-process", SESSIONS, "", "s1 T1: append(x,1)", "s1 T2: r(x,[])", "s2 T3: r(x,[1])"));
        all.add(of(
                "G-single-item-realtime",
                REALTIME,
                "",
                "s1 T1 <1,2>: append(x,1)",
                "s2 T2 <3,4>: r(x,[])",
                "s3 T3 <5,6>: r(x,[1])"));
        all.add(of(
                "G-nonadjacent-item",
                "PL-SI",
                "",
                "s1 T1: w(x,1)",
                "s2 T2: w(y,1)",
                "s3 T3: r(x,1) r(y,_)",
                "s4 T4: r(x,_) r(y,1)"));
        all.add(of(
                "G-nonadjacent-item-process",
                SESSIONS,
                "",
                "s1 T1: w(x,1)",
                "s2 T2: w(y,1)",
                "s1 T3: r(y,_)",
                "s2 T4: r(x,_)"));
        all.add(of(
                "G-nonadjacent-item-realtime",
                REALTIME,
                "",
                "s1 T1 <1,2>: w(x,1)",
                "s2 T2 <1,2>: w(y,1)",
                "s3 T3 <3,4>: r(y,_)",
                "s4 T4 <3,4>: r(x,_)"));
        all.add(of("G2-item", "PL-3", "", "s1 T1: r(x,_) w(y,1)", "s2 T2: r(y,_) w(x,1)"));
        all.add(of(
                "G2-item-process",
                SESSIONS,
                "",
                "s1 T1: r(z,1) r(x,_)",
                "s2 T2: w(x,1) r(y,_)",
                "s3 T3: w(y,1)",
                "s3 T4: w(z,1)"));
        all.add(of(
                "G2-item-realtime",
                REALTIME,
                "",
                "s1 T1 <0,9>: r(z,1) r(x,_)",
                "s2 T2 <0,9>: w(x,1) r(y,_)",
                "s3 T3 <1,2>: w(y,1)",
                "s4 T4 <3,4>: w(z,1)"));
        all.add(of(
                "G-single",
                "PL-3",
                "",
                "s1 T1: w(t/1,'{\"c\":5}')@1 w(t/2,'{\"d\":1}')@1",
                "s2 T2: " + IS_5 + " r(t/2,'{\"d\":1}')@1"));
        all.add(of("G-single-process", SESSIONS, "", "s1 T1: w(t/1,'{\"c\":5}')@1", "s1 T2: " + IS_5));
        all.add(of(
                "G-nonadjacent",
                "PL-3",
                "",
                "s1 T1: w(t/1,'{\"c\":5}')@1",
                "s2 T2: w(t/2,'{\"c\":6}')@1",
                "s3 T3: r(t/1,'{\"c\":5}')@1 " + IS_6,
                "s4 T4: r(t/2,'{\"c\":6}')@1 " + IS_5));
        all.add(of(
                "G-nonadjacent-process",
                SESSIONS,
                "",
                "s1 T1: w(t/1,'{\"c\":5}')@1",
                "s2 T2: w(t/2,'{\"c\":6}')@1",
                "s1 T3: " + IS_6,
                "s2 T4: " + IS_5));
        all.add(of(
                "G2",
                "PL-3",
                "",
                "s1 T1: " + IS_5 + " w(t/1,'{\"c\":6}')@1",
                "s2 T2: " + IS_6 + " w(t/2,'{\"c\":5}')@1"));
        all.add(of(
                "G2-process",
                SESSIONS,
                "",
                "s1 T1: r(t/3,'{\"d\":1}')@1 " + IS_5,
                "s2 T2: w(t/1,'{\"c\":5}')@1 " + IS_6,
                "s3 T3: w(t/2,'{\"c\":6}')@1",
                "s3 T4: w(t/3,'{\"d\":1}')@1"));
        all.add(of("commit-order-cycle", "ra", "", "s1 T1: w(x,1) w(y,1)", "s2 T2: r(x,_) r(y,1)"));
        all.add(of(
                "no-prefix-order", // each order of the writers of x, y and z is ruled out by reads, but no pair of them
                // alone
                "pc",
                "",
                "s1 T1: w(x,1) w(a,1)",
                "s2 T2: r(x,1) r(g,9) r(d,6)",
                "s3 T3: r(c,4) r(e,7) w(x,3) w(b,3)",
                "s4 T4: w(y,4) w(c,4)",
                "s5 T5: r(y,4) r(e,7) r(a,1) r(b,3) r(g,9)",
                "s6 T6: r(e,7) r(a,1) w(y,6) w(d,6)",
                "s7 T7: w(z,7) w(e,7)",
                "s8 T8: r(z,7) r(d,6) r(b,3)",
                "s9 T9: r(c,4) r(a,1) w(z,9) w(g,9)"));
        all.add(of(
                "no-snapshot-order", // T1 and T2 may not overlap, nor T3 and T4, and all four orders of the pairs fail
                "si",
                "",
                "s1 T1: r(d,_) r(h,_) w(x,1) w(a,1) w(e,1)",
                "s2 T2: r(c,_) r(g,_) w(x,2) w(b,2) w(f,2)",
                "s3 T3: r(b,_) r(e,_) w(y,3) w(c,3) w(h,3)",
                "s4 T4: r(a,_) r(f,_) w(y,4) w(d,4) w(g,4)"));
        all.add(of(
                "no-serial-order", // as no-prefix-order, with overwritten reads instead of reads from writers
                "ser",
                "",
                "s1 T1: r(d,_) r(e,_) r(g,_) w(x,1)",
                "s2 T2: r(x,1) w(b,2)",
                "s3 T3: r(d,_) r(f,_) w(x,3) w(c,3)",
                "s4 T4: r(c,_) r(g,_) w(y,4)",
                "s5 T5: r(y,4) w(d,5)",
                "s6 T6: r(b,_) r(f,_) w(y,6) w(e,6)",
                "s7 T7: r(c,_) r(d,_) r(e,_) w(z,7)",
                "s8 T8: r(z,7) w(f,8)",
                "s9 T9: r(b,_) r(d,_) w(z,9) w(g,9)"));
        all.add(of("result-set-mismatch", "si", "T2", "s1 T1 [1,2]: w(t/1,'{\"c\":5}')", "s2 T2 [3,4]: " + IS_5));
        all.add(of("predicate-read-miss", "si", "T2", "s1 T1: w(t/1,'{\"c\":5}')@0", "s2 T2: " + IS_5));
        return all;
    }

    private static AnomalyExamples of(String type, String level, String faults, String... txns) {
        Anomaly anomaly = Anomaly.bySpelling(type);
        if (anomaly == null) {
            throw new IllegalArgumentException("no such type: " + type);
        }
        List<String> marked = faults.isEmpty() ? List.of() : List.of(faults.split("; "));
        return new AnomalyExamples(anomaly, level, List.of(), marked, String.join("\n", txns) + "\n");
    }

    private AnomalyExamples with(String... more) {
        return new AnomalyExamples(anomaly, level, List.of(more), faults, history);
    }

    /** Returns the arguments of a check of it. */
    String[] check(String file, String lake) {
        List<String> arguments = new ArrayList<>(List.of("check", file, "--level", level, "--lake", lake, "--json"));
        arguments.addAll(options);
        return arguments.toArray(String[]::new);
    }

    @Override
    public String toString() {
        return anomaly.spelling();
    }
}
