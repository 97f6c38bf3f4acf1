package io.nightjar.pipeline.check.timestamp;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the order in sessions whose rows come in any order, or in which unknown transactions count as committed. */
public final class UnorderedSessionCheck {

    /*
     * Algorithm. Usually one pass is enough. If levels count different transactions, each level has a separate pass;
     * and if several writers are possible, one pass excludes them, which finds the anomalies of every choice, and one
     * includes all of them: the additional findings depend on the choice.
     */

    private final List<SessionOrder> certain = new ArrayList<>();
    private final Map<IsolationLevel, SessionOrder> withChosen = new EnumMap<>(IsolationLevel.class);
    private final Map<IsolationLevel, SessionOrder> withoutChosen = new EnumMap<>(IsolationLevel.class);

    /** @param limit how many findings are kept */
    public UnorderedSessionCheck(Map<IsolationLevel, Set<Axiom>> axioms, int limit, PromotedTxns unknown) {
        if (unknown.isPlain()) {
            certain.add(SessionOrder.gathering(axioms, limit, unknown.anyCounted()));
            return;
        }
        axioms.forEach((level, demanded) -> {
            Map<IsolationLevel, Set<Axiom>> ofLevel = Map.of(level, demanded);
            LongSet counted = new LongOpenHashSet(unknown.counted(level));
            if (!unknown.chosen(level).isEmpty()) {
                LongSet possible = new LongOpenHashSet(counted);
                possible.addAll(unknown.chosen(level));
                withChosen.put(level, SessionOrder.gathering(ofLevel, 0, possible));
                counted.removeAll(unknown.chosen(level));
            }
            SessionOrder order = SessionOrder.gathering(ofLevel, limit, counted);
            certain.add(order);
            withoutChosen.put(level, order);
        });
    }

    /** Returns the number of passes; each collects the rows separately. */
    public static int looks(PromotedTxns unknown) {
        return unknown.isPlain() ? 1 : 2 * Math.max(1, unknown.countedAt().size());
    }

    /** Takes all transactions of a slice. */
    public void observe(HistorySlice slice) {
        observe(slice, 0, 1);
    }

    /** Takes the transactions whose session falls into one of {@code classCount} residue classes. */
    public void observe(HistorySlice slice, int residue, int classCount) {
        for (SessionOrder order : certain) {
            order.observe(slice, residue, classCount);
        }
        for (SessionOrder order : withChosen.values()) {
            order.observe(slice, residue, classCount);
        }
    }

    /** Reports the anomalies that exist with every choice, once all rows were added. */
    public Findings finish() {
        Findings findings = certain.get(0).finish();
        for (int i = 1; i < certain.size(); i++) {
            findings.merge(certain.get(i).finish());
        }
        return findings;
    }

    /**
     * Returns, by level, how many more anomalies exist with the chosen transactions; to be called before {@link
     * #finish}.
     */
    public Map<IsolationLevel, Long> openChoices() {
        Map<IsolationLevel, Long> open = new EnumMap<>(IsolationLevel.class);
        withChosen.forEach((level, order) -> {
            long more = order.finish().total()
                    - requireNonNull(withoutChosen.get(level)).finish().total();
            if (more > 0) {
                open.put(level, more);
            }
        });
        return open;
    }
}
