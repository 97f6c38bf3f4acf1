package io.nightjar.jobs.flink;

import io.nightjar.jobs.watch.FeedRunner.Fed;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Topology of the job of a watch: the stages and the streams between them. */
final class WatchJob {

    /*
     * Layout.
     *
     *   sources ─► receive ──lanes──► judge-lanes ───┐
     *                 │                              ▼
     *                 └──parts, letters, counts────► say ─► the log
     *
     * Every exchange is a stream; the watch has 128 lanes of keys and sessions, each in a separate key group.
     */

    private WatchJob() {}

    /** Adds the job to an environment that is to be executed. */
    static void build(StreamExecutionEnvironment env, WatchSpec spec, int[] shares) {
        env.setMaxParallelism(WatchSpec.LANES);
        env.setParallelism(spec.parallelism());
        WatermarkStrategy<Fed> watermarks = WatermarkStrategy.forGenerator(context -> new ArrivalWatermarks(spec));
        SingleOutputStreamOperator<Chunk> receive = env.fromSource(
                        new FeedSource(spec, shares), watermarks, "sources", FeedBatchType.INSTANCE)
                .uid("sources")
                .transform(
                        "receive", ChunkType.INSTANCE, new IngestOperator(spec, shares.length == 1 && shares[0] == 1))
                .uid("receive");
        SingleOutputStreamOperator<Chunk> lanes = receive.keyBy(Chunk::key, Types.INT)
                .transform("judge-lanes", ChunkType.INSTANCE, new OnlineCheckOperator(spec))
                .uid("judge-lanes");
        receive.getSideOutput(WatchOperator.LOG_ENTRIES)
                .union(lanes.getSideOutput(WatchOperator.LOG_ENTRIES))
                .global()
                .transform("say", ChunkType.INSTANCE, new TaskLogSinkOperator(spec))
                .uid("say")
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>())
                .name("end")
                .uid("end")
                .setParallelism(1);
    }
}
