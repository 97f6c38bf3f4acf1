package io.nightjar.jobs.flink;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;

/** Topology of the job: the stages and the streams between them. */
final class CheckJob {

    /*
     * Layout.
     *                        sessions, ids
     *               ┌───────────► validate-parts
     *               │                ▼ results of partitions
     *   splits ─► read ──facts──► validate ──second reading──► split ──bins of sessions──► check-values ─────────────────┐
     *               │                │                           │                           │    └─► check-components ┤
     *               │                │                           │                           └──► conclude ◄──┘ ───────┤
     *               │                ▼      ┌──lanes, if any─────┤                                                     │
     *               │             resolve ◄─┴─ infer ◄─unknown───┤                                                     │
     *               │                ├──promoted transactions─┐  └──heads of sessions──► check-sessions ◄─┐ ───────────┤
     *               │                └────────────────────────┼───────────────────────────────────────────┘            ▼
     *               └──lanes──────────────────────────────────┴──► check-lanes ──────────────────────────────────► write ─► the lake
     *
     * A history of tables is routed from validate to replay-tables, where each task replays a lane, and then to
     * check-tables, which reads the whole history if lanes leave a question undecided.
     *
     * All results are sent to prove-serializable, which searches for a serial order if commit order does not explain
     * every read. In a large history, positions follow from the dependencies of lanes, and tasks decide segments:
     *
     *   check-lanes ──────────────────────or──────────────┐
     *   ask-positions ─► read-lanes ─► find-dependencies ─┴─► find-segments
     *                                                           └─► read-segments ─► check-segments ─► prove-serializable
     *
     * Lanes are read again if some of them were checked without being loaded as a whole.
     *
     * The result joins the others. They are also sent to ask, which requests the rows needed to replay
     * findings: these are read from the splits again, by as many tasks as before. If the needed rows depend on rows of
     * participants, a request has two rounds:
     *
     *   ask ──┬─► fetch-participants ─► widen ─► fetch ─► write
     *         └──────────────or────────────────────┘
     *
     * The facts of validation and the metrics of every stage are sent to write as well. Stages that are idle for every
     * possible history are omitted.
     *
     * Exchanges are blocking: a stage starts when its inputs are complete. Where order matters, chunks are sorted by
     * key and order on arrival, as Flink sorts keyed records of a batch job; this sort spills.
     */

    private static final KeySelector<Chunk, Integer> BY_KEY = Chunk::key;
    private static final Partitioner<Integer> IN_TURN = (key, tasks) -> key % tasks;

    private final StreamExecutionEnvironment env;
    private final JobSpec spec;
    private final List<DataStream<Chunk>> outcomes = new ArrayList<>();

    private CheckJob(StreamExecutionEnvironment env, JobSpec spec) {
        this.env = env;
        this.spec = spec;
    }

    /** Adds the job to an environment that is to be executed. */
    static void build(StreamExecutionEnvironment env, JobSpec spec) {
        env.setRuntimeMode(RuntimeExecutionMode.BATCH);
        env.setMaxParallelism(TaskKeys.MAX_PARALLELISM);
        new CheckJob(env, spec).build();
    }

    private void build() {
        DataStream<Long> splits = env.fromSource(
                        new SplitSource(spec.plan.splitCount()), WatermarkStrategy.noWatermarks(), "splits", Types.LONG)
                .uid("splits")
                .setParallelism(spec.parallelism);
        SingleOutputStreamOperator<Chunk> read = splits.transform("read", ChunkType.INSTANCE, new ReadOperator(spec))
                .uid("read")
                .setParallelism(spec.parallelism);
        outcomes.add(read.getSideOutput(StageOperator.OUTCOMES));
        SingleOutputStreamOperator<Chunk> partitions =
                byKey(read, "validate-parts", new ValidatePartitionsOperator(spec), spec.parallelism);
        SingleOutputStreamOperator<Chunk> validate = byKey(
                read.getSideOutput(StageOperator.FACTS).union(partitions), "validate", new ValidateOperator(spec), 1);
        SingleOutputStreamOperator<Chunk> split = inTurn(validate, "split", new RouteOperator(spec));
        outcomes.add(split.getSideOutput(StageOperator.OUTCOMES));
        checkTables(validate.getSideOutput(StageOperator.TABLES));
        if (spec.plan.first().mayNeedValues()) {
            checkByValues(validate, split);
        }
        DataStream<Chunk> dependencies = null;
        if (spec.plan.first().fillsLanes()) {
            dependencies = checkByTimestamps(read, validate, split);
        }
        if (spec.provesSerializable()) {
            DataStream<Chunk> known = union(outcomes);
            DataStream<Chunk> withSegments = dependencies != null && spec.plan.findsSegments()
                    ? known.union(segments(known, dependencies))
                    : known;
            outcomes.add(inOneTask(withSegments, "prove-serializable", new SerialOperator(spec))
                    .getSideOutput(StageOperator.OUTCOMES));
        }
        outcomes.addAll(fetched());
        inOneTask(union(outcomes), "write", new WriteOperator(spec))
                .sinkTo(new DiscardingSink<>())
                .name("end")
                .uid("end")
                .setParallelism(1);
    }

    /**
     * Returns the positions of transactions, and the segments that are not serializable.
     *
     * @param ofCheckedLanes the dependencies that were found while lanes were checked
     */
    private DataStream<Chunk> segments(DataStream<Chunk> known, DataStream<Chunk> ofCheckedLanes) {
        SingleOutputStreamOperator<Chunk> ask = inOneTask(known, "ask-positions", new AskPositionsOperator(spec));
        SingleOutputStreamOperator<Chunk> lanes = inTurn(ask, "read-lanes", new ReadLanesOperator(spec));
        outcomes.add(lanes.getSideOutput(StageOperator.OUTCOMES));
        SingleOutputStreamOperator<Chunk> dependencies =
                byKey(lanes, "find-dependencies", new FindDependenciesOperator(spec), spec.parallelism);
        SingleOutputStreamOperator<Chunk> find = byKey(
                ofCheckedLanes.union(dependencies, ask.getSideOutput(StageOperator.SEGMENTS)),
                "find-segments",
                new FindSegmentsOperator(spec),
                1);
        SingleOutputStreamOperator<Chunk> read = inTurn(find, "read-segments", new ReadSegmentsOperator(spec));
        outcomes.add(read.getSideOutput(StageOperator.OUTCOMES));
        DataStream<Chunk> decided = byKey(read, "check-segments", new CheckSegmentsOperator(spec), spec.parallelism)
                .getSideOutput(StageOperator.SEGMENTS);
        return find.getSideOutput(StageOperator.SEGMENTS).union(decided);
    }

    /** Returns the rows needed to replay findings, and the metrics of fetching them. */
    private List<DataStream<Chunk>> fetched() {
        SingleOutputStreamOperator<Chunk> ask = inOneTask(union(outcomes), "ask", new PlanReplayOperator(spec));
        SingleOutputStreamOperator<Chunk> participants =
                fetch(ask.getSideOutput(StageOperator.PARTICIPANTS), "fetch-participants");
        SingleOutputStreamOperator<Chunk> widen = inOneTask(
                ask.getSideOutput(StageOperator.OPEN_PLAN).union(participants),
                "widen",
                new BroadcastParticipantsOperator(spec));
        SingleOutputStreamOperator<Chunk> fetch = fetch(ask.union(widen), "fetch");
        return List.of(fetch, fetch.getSideOutput(StageOperator.OUTCOMES));
    }

    private SingleOutputStreamOperator<Chunk> fetch(DataStream<Chunk> plans, String name) {
        return inTurn(plans, name, new FetchRowsOperator(spec));
    }

    /** Returns a stage of all tasks, to which keys are task numbers. */
    private SingleOutputStreamOperator<Chunk> inTurn(
            DataStream<Chunk> from, String name, OneInputStreamOperator<Chunk, Chunk> operator) {
        return from.partitionCustom(IN_TURN, BY_KEY)
                .transform(name, ChunkType.INSTANCE, operator)
                .uid(name)
                .setParallelism(spec.parallelism);
    }

    private void checkTables(DataStream<Chunk> tables) {
        DataStream<Chunk> known = tables;
        if (spec.parallelism > 1) {
            SingleOutputStreamOperator<Chunk> replayed = tables.broadcast()
                    .transform("replay-tables", ChunkType.INSTANCE, new ReplayTablesOperator(spec))
                    .uid("replay-tables")
                    .setParallelism(spec.parallelism);
            outcomes.add(replayed.getSideOutput(StageOperator.OUTCOMES));
            known = tables.union(replayed);
        }
        outcomes.add(
                inOneTask(known, "check-tables", new CheckTablesOperator(spec)).getSideOutput(StageOperator.OUTCOMES));
    }

    /** Checks lanes and sessions; returns the dependencies that were found in lanes. */
    private DataStream<Chunk> checkByTimestamps(
            SingleOutputStreamOperator<Chunk> read,
            SingleOutputStreamOperator<Chunk> validate,
            SingleOutputStreamOperator<Chunk> split) {
        SingleOutputStreamOperator<Chunk> infer = byKey(
                split.getSideOutput(StageOperator.LANES), "infer", new InferOutcomesOperator(spec), spec.parallelism);
        SingleOutputStreamOperator<Chunk> resolve = inOneTask(
                validate.getSideOutput(StageOperator.OUTCOMES).union(infer),
                "resolve",
                new ResolveOutcomesOperator(spec));
        outcomes.add(resolve.getSideOutput(StageOperator.OUTCOMES));
        SingleOutputStreamOperator<Chunk> lanes = byKey(
                read.getSideOutput(StageOperator.LANES).union(resolve.getSideOutput(StageOperator.LANES)),
                "check-lanes",
                new CheckLanesOperator(spec),
                spec.parallelism);
        byKey(
                split.getSideOutput(StageOperator.SESSIONS).union(resolve.getSideOutput(StageOperator.SESSIONS)),
                "check-sessions",
                new CheckSessionsOperator(spec),
                spec.parallelism);
        return lanes.getSideOutput(StageOperator.SEGMENTS);
    }

    private void checkByValues(SingleOutputStreamOperator<Chunk> validate, SingleOutputStreamOperator<Chunk> split) {
        SingleOutputStreamOperator<Chunk> values = byKey(
                split.getSideOutput(StageOperator.BINS).union(validate.getSideOutput(StageOperator.BINS)),
                "check-values",
                new CheckBinsOperator(spec),
                spec.parallelism);
        if (spec.sharesGroups()) {
            shareGroups(values);
        }
    }

    private void shareGroups(SingleOutputStreamOperator<Chunk> values) {
        SingleOutputStreamOperator<Chunk> components = byKey(
                values.getSideOutput(StageOperator.COMPONENTS),
                "check-components",
                new SearchOperator(spec),
                spec.parallelism);
        byKey(
                values.getSideOutput(StageOperator.ANSWERS).union(components),
                "conclude",
                new ConcludeOperator(spec),
                spec.parallelism);
    }

    /** Returns a stage that receives its chunks sorted by key, and the chunks of a key by order. */
    private SingleOutputStreamOperator<Chunk> byKey(
            DataStream<Chunk> from, String name, OneInputStreamOperator<Chunk, Chunk> operator, int parallelism) {
        SingleOutputStreamOperator<Chunk> keyed = from.keyBy(BY_KEY, Types.INT)
                .transform(name, ChunkType.INSTANCE, operator)
                .uid(name)
                .setParallelism(parallelism);
        outcomes.add(keyed.getSideOutput(StageOperator.OUTCOMES));
        return keyed;
    }

    private static SingleOutputStreamOperator<Chunk> inOneTask(
            DataStream<Chunk> from, String name, OneInputStreamOperator<Chunk, Chunk> operator) {
        return from.global()
                .transform(name, ChunkType.INSTANCE, operator)
                .uid(name)
                .setParallelism(1);
    }

    private static DataStream<Chunk> union(List<DataStream<Chunk>> streams) {
        DataStream<Chunk> all = streams.get(0);
        for (DataStream<Chunk> stream : streams.subList(1, streams.size())) {
            all = all.union(stream);
        }
        return all;
    }
}
