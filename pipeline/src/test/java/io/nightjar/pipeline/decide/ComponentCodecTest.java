package io.nightjar.pipeline.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.fixtures.small.RandomReads;
import io.nightjar.fixtures.small.SmallHistory;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.check.LevelAnswer;
import io.nightjar.pipeline.check.RandomStores;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.check.weak.WeakLevels;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.ClientHistoryCodec;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.partition.Component;
import io.nightjar.pipeline.partition.ComponentCodec;
import io.nightjar.pipeline.partition.ComponentSplitter;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Components are decided alike on both sides of the wire, and so are their answers understood. */
@Tag(Seeds.TAG)
class ComponentCodecTest {

    private static final Set<IsolationLevel> STRONG = EnumSet.copyOf(StrongLevels.ALL);
    private static final long COMPONENT_NANOS = 10_000_000_000L;

    @Test
    void historiesSurvive() {
        int versioned = 0;
        int hinted = 0;
        for (long seed : Seeds.upTo(3_000)) {
            ClientHistory history = history(seed);

            ClientHistory decoded = throughBytes(history);

            assertThat(text(decoded)).as("seed=%d", seed).isEqualTo(text(history));
            versioned += history.knowsVersionOrders() ? 1 : 0;
            hinted += history.hints.length;
        }
        assertThat(versioned).isPositive();
        assertThat(hinted).isPositive();
    }

    @Test
    void componentsAreDecidedAlike() {
        Map<Verdict, Integer> seen = new EnumMap<>(Verdict.class);
        for (long seed : Seeds.upTo(1_500)) {
            for (Component component : ComponentSplitter.split(history(seed))) {
                Component decoded = throughBytes(component);

                Map<IsolationLevel, LevelAnswer> answers = decide(component.history);

                assertThat(decoded.wholeTxnOf).startsWith(component.wholeTxnOf);
                assertThat(text(decide(decoded.history))).as("seed=%d", seed).isEqualTo(text(answers));
                answers.values().forEach(answer -> seen.merge(answer.verdict(), 1, Integer::sum));
            }
        }
        assertThat(seen).containsKeys(Verdict.HOLDS, Verdict.VIOLATED);
    }

    @Test
    void weakLevelsAreDecidedAlike() {
        for (long seed : Seeds.upTo(1_500)) {
            ClientHistory history = history(seed);

            assertThat(weak(throughBytes(history))).as("seed=%d", seed).isEqualTo(weak(history));
        }
    }

    @Test
    void answersSurvive() {
        for (long seed : Seeds.upTo(1_500)) {
            Component component =
                    ComponentSplitter.split(history(seed)).stream().findFirst().orElse(null);
            if (component == null) {
                continue;
            }
            Map<IsolationLevel, LevelAnswer> answers = decide(component.history);
            if (seed % 5 == 0) {
                answers.put(IsolationLevel.CAUSAL, LevelAnswer.undecided("a budget ran out: states=7", 7));
            }
            ComponentAnswer answer = new ComponentAnswer(3, component, answers, 0.125 * seed);

            ComponentAnswer decoded = throughBytes(answer);

            assertThat(decoded.id()).isEqualTo(3);
            assertThat(decoded.seconds()).isEqualTo(answer.seconds());
            assertThat(decoded.component()).isSameAs(component);
            assertThat(text(decoded.answers())).as("seed=%d", seed).isEqualTo(text(answers));
            assertThat(sharing(decoded.answers())).as("seed=%d", seed).isEqualTo(sharing(answers));
        }
    }

    @Test
    void decisionsFromAnswersOffTheWireAreTheSame() {
        for (long seed : Seeds.upTo(1_500)) {
            ClientHistory history = history(seed);

            ValueVerdicts here = decideAll(history, false);
            ValueVerdicts there = decideAll(history, true);

            assertThat(there.answers()).as("seed=%d", seed).isEqualTo(here.answers());
            assertThat(there.witnessLevel()).isEqualTo(here.witnessLevel());
            assertThat(text(there.witness())).isEqualTo(text(here.witness()));
            assertThat(there.refutations().stream().map(each -> each.contradiction()))
                    .as("seed=%d", seed)
                    .containsExactlyElementsOf(here.refutations().stream()
                            .map(each -> each.contradiction())
                            .toList());
        }
    }

    // ---------------------------------------------------------------- histories and decisions

    private static ClientHistory history(long seed) {
        if (seed % 2 == 0) {
            return RandomStores.of(seed, 2, 30);
        }
        OperationLogBuilder log = new OperationLogBuilder(null);
        SmallHistory small = seed % 4 == 1 ? RandomReads.of(seed) : RandomHistory.of(seed, 20);
        small.slices(3).forEach(log::add);
        return new ReadInference(ReadResolution.of(log.build()), true, false)
                .run()
                .history();
    }

    private static Map<IsolationLevel, LevelAnswer> decide(ClientHistory part) {
        return new ComponentDecision(part, STRONG, Budget.unlimited(), COMPONENT_NANOS, false).decide();
    }

    private static List<String> weak(ClientHistory history) {
        WeakLevels levels = new WeakLevels(history, Budget.unlimited());
        return List.of(text(levels.readCommitted()), text(levels.readAtomic()), text(levels.causal()));
    }

    private static ValueVerdicts decideAll(ClientHistory history, boolean overTheWire) {
        LevelDecision decision =
                new LevelDecision(history, EnumSet.copyOf(IsolationLevel.all()), false, COMPONENT_NANOS, true);
        List<Component> components = decision.begin(Budget.unlimited());
        List<ComponentAnswer> answers = new ArrayList<>();
        for (int number = 0; number < components.size(); number++) {
            ComponentAnswer answer = decision.decide(number, Budget.unlimited());
            answers.add(overTheWire ? throughBytes(answer) : answer);
        }
        return decision.finish(answers);
    }

    // ---------------------------------------------------------------- bytes

    private static ClientHistory throughBytes(ClientHistory history) {
        ByteWriter sink = new ByteWriter(1);
        ClientHistoryCodec.encode(history, sink);
        ByteReader feed = feed(sink);
        ClientHistory decoded = ClientHistoryCodec.decode(feed);
        assertThat(feed.isEmpty()).isTrue();
        return decoded;
    }

    private static Component throughBytes(Component component) {
        ByteWriter sink = new ByteWriter(1);
        ComponentCodec.encode(component, sink);
        ByteReader feed = feed(sink);
        Component decoded = ComponentCodec.decode(feed);
        assertThat(feed.isEmpty()).isTrue();
        return decoded;
    }

    private static ComponentAnswer throughBytes(ComponentAnswer answer) {
        ByteWriter sink = new ByteWriter(1);
        ResultCodec.encode(answer.alone(), sink);
        ByteReader feed = feed(sink);
        ComponentAnswer decoded =
                ResultCodec.decode(ComponentAnswer.Alone.class, feed).of(answer.component());
        assertThat(feed.isEmpty()).isTrue();
        return decoded;
    }

    private static ByteReader feed(ByteWriter sink) {
        return new ByteReader(Arrays.copyOf(sink.bytes(), sink.size()), 0, sink.size());
    }

    // ---------------------------------------------------------------- comparing

    private static List<String> text(ClientHistory history) {
        boolean versions = history.knowsVersionOrders();
        List<String> text = new ArrayList<>(List.of(
                history.sessionCount + " " + history.txnCount + " " + history.readCount + " " + history.writeCount + " "
                        + history.keyCount,
                text(history.firstTxnOf, history.sessionCount + 1),
                text(history.sessionOf, history.txnCount),
                Arrays.toString(Arrays.copyOf(history.txnIdOf, history.txnCount)),
                text(history.firstReadOf, history.txnCount + 1),
                text(history.keyOfRead, history.readCount),
                text(history.writerOf, history.readCount),
                text(history.firstWriteOf, history.txnCount + 1),
                text(history.keyOfWrite, history.writeCount),
                text(history.logKeyOf, history.keyCount),
                versions ? text(history.firstVersionOf, history.keyCount + 1) : "no versions",
                versions ? text(history.txnOfVersion, history.firstVersionOf[history.keyCount]) : "no versions"));
        for (long[] hint : history.hints) {
            text.add("hint " + Arrays.toString(Arrays.copyOf(hint, history.txnCount)));
        }
        return text;
    }

    private static String text(int[] numbers, int count) {
        return Arrays.toString(Arrays.copyOf(numbers, count));
    }

    private static List<String> text(Map<IsolationLevel, LevelAnswer> answers) {
        List<String> text = new ArrayList<>();
        answers.forEach((level, answer) -> text.add(level + " " + text(answer)));
        return text;
    }

    private static String text(LevelAnswer answer) {
        return answer.verdict() + " " + answer.reason() + " " + text(answer.witness()) + " " + answer.contradictions()
                + " " + answer.searchStates();
    }

    private static String text(CommitOrder order) {
        return order == null
                ? "no order"
                : (order.snapshotOf == order.commitOf)
                        + Arrays.toString(order.snapshotOf)
                        + Arrays.toString(order.commitOf);
    }

    /** Which levels have one and the same answer. */
    private static List<Boolean> sharing(Map<IsolationLevel, LevelAnswer> answers) {
        List<Boolean> shared = new ArrayList<>();
        for (LevelAnswer first : answers.values()) {
            answers.values().forEach(second -> shared.add(first == second));
        }
        return shared;
    }
}
