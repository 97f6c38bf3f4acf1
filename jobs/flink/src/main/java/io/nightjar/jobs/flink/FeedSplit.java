package io.nightjar.jobs.flink;

import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A source of a watch, or a share of one.
 *
 * @param share which share, out of {@code shares}
 * @param state how much of it was taken; empty at first
 */
record FeedSplit(String source, int share, int shares, byte[] state) implements SourceSplit {

    @Override
    public String splitId() {
        return source + " " + share + "/" + shares;
    }

    FeedSplit at(byte[] now) {
        return new FeedSplit(source, share, shares, now);
    }
}
