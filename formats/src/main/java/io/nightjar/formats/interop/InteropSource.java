package io.nightjar.formats.interop;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.text.RowSliceBuilder;
import io.nightjar.formats.text.SequentialSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A history in the format of another checker. It is one split, because the id of a row is its position. */
public final class InteropSource extends SequentialSource {

    private static final String ZERO = "0";

    private final @Nullable String impliedInitialValue;
    private final boolean rowsAreLines;
    private final InteropRowReader.Opener opener;

    private InteropSource(
            String format,
            @Nullable String impliedInitialValue,
            boolean rowsAreLines,
            InteropRowReader.Opener opener,
            String uri,
            List<Path> files) {
        super(format, uri, files);
        this.impliedInitialValue = impliedInitialValue;
        this.rowsAreLines = rowsAreLines;
        this.opener = opener;
    }

    /** Opens the bincode files of dbcop as of 2019. */
    public static InteropSource dbcop(String uri, List<Path> files) {
        return new InteropSource("dbcop", ZERO, false, DbcopRows::new, uri, files);
    }

    /** Opens the JSON of dbcop. */
    public static InteropSource dbcopJson(String uri, List<Path> files) {
        return new InteropSource("dbcop-json", ZERO, false, DbcopJsonRows::new, uri, files);
    }

    /** Opens the text of dbcop. */
    public static InteropSource hist(String uri, List<Path> files) {
        return new InteropSource("hist", ZERO, true, HistRows::new, uri, files);
    }

    /** Opens the text of Plume and PolySI. */
    public static InteropSource plume(String uri, List<Path> files) {
        return new InteropSource("plume", ZERO, true, PlumeRows::new, uri, files);
    }

    /** Opens the text of AWDIT's tests, which does not support initial states. */
    public static InteropSource awdit(String uri, List<Path> files) {
        return new InteropSource("awdit", null, true, AwditRows::new, uri, files);
    }

    /** Opens the logs of Cobra, one per client; they become sessions in the order of their numbers. */
    public static InteropSource cobra(String uri, List<Path> files) {
        List<Path> byNumber = new ArrayList<>(files);
        byNumber.sort(Comparator.comparingLong(CobraRows::sessionOf).thenComparing(Comparator.naturalOrder()));
        return new InteropSource("cobra", null, false, CobraRows::new, uri, byNumber);
    }

    /** Opens the logs of Viper, one per client; they become sessions in the order of their numbers. */
    public static InteropSource viper(String uri, List<Path> files) {
        List<Path> byNumber = new ArrayList<>(files);
        byNumber.sort(Comparator.comparingLong(ViperRows::sessionOf).thenComparing(Comparator.naturalOrder()));
        return new InteropSource("viper", null, true, ViperRows::new, uri, byNumber);
    }

    /** Opens the client operations recorded by etcd's robustness tests and Porcupine. */
    public static InteropSource etcd(String uri, List<Path> files) {
        return new InteropSource("etcd", null, true, EtcdRows::new, uri, files);
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        return new PeerReader(files, opener, new RowSliceBuilder(wanted, badRows, rowsAreLines));
    }

    @Override
    public @Nullable String impliedInitialValue() {
        return impliedInitialValue;
    }
}
