package io.nightjar.pipeline.infer;

/**
 * Who wrote what was read, how each key is used and which transactions count: found once for all that is decided of a log.
 *
 * <p>What only some decisions need is found when it is asked for. One thread asks.
 */
public final class ReadResolution {

    public final OperationLog log;
    final WriterTable writers;
    private final KeyUse use;
    private final Outcomes outcomes;
    private final boolean[] doubtfulInitials;
    private ListOrders lists;
    private Versions versions;

    private ReadResolution(OperationLog log) {
        this.log = log;
        writers = new WriterTable(log);
        use = KeyUse.of(log);
        outcomes = Outcomes.of(log, writers, use, this::lists);
        doubtfulInitials = log.doubtfulInitials(outcomes::mayCount);
    }

    public static ReadResolution of(OperationLog log) {
        return new ReadResolution(log);
    }

    public KeyUse use() {
        return use;
    }

    public Outcomes outcomes() {
        return outcomes;
    }

    /** Keys of which nobody can tell whether a read of the initial value is one of the initial state; null if there are none. */
    public boolean[] doubtfulInitials() {
        return doubtfulInitials;
    }

    /** The longest list of each key. */
    public ListOrders lists() {
        if (lists == null) {
            lists = ListOrders.of(log, use);
        }
        return lists;
    }

    /** Everything that keys ever held. */
    public Versions versions() {
        if (versions == null) {
            versions = Versions.of(log, writers, use);
            if (doubtfulInitials != null) {
                versions.forgetInitials(doubtfulInitials);
            }
        }
        return versions;
    }
}
