package io.nightjar.formats.registry;

import io.nightjar.formats.arrow.ArrowHistorySource;
import io.nightjar.formats.arrow.ArrowHistoryWriter;
import io.nightjar.formats.cdc.ChangeSource;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.interop.CobraWriter;
import io.nightjar.formats.interop.InteropSource;
import io.nightjar.formats.interop.PlumeWriter;
import io.nightjar.formats.interop.SessionTextWriter;
import io.nightjar.formats.interop.TimeKillerWriter;
import io.nightjar.formats.jepsen.JepsenSource;
import io.nightjar.formats.jepsen.JepsenWriter;
import io.nightjar.formats.parquet.ParquetHistorySource;
import io.nightjar.formats.parquet.ParquetHistoryWriter;
import io.nightjar.formats.table.CsvWriter;
import io.nightjar.formats.table.TableSource;
import io.nightjar.formats.text.JsonLinesWriter;
import io.nightjar.formats.text.LineSource;
import io.nightjar.formats.text.NotationWriter;
import io.nightjar.formats.text.TimeKillerSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The formats, with names, extensions, readers and writers. */
enum Format {
    PARQUET("parquet", Directory.PARTS, ".parquet"),
    ARROW("arrow", Directory.PARTS, ".arrow", ".arrows", ".feather"),
    JSON_LINES("jsonl", Directory.PARTS, ".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson"),
    EDN("edn", Directory.FOLDER, ".edn", ".edn.gz", ".edn.zst"),
    ELLE_JSON("elle-json", Directory.NONE, ".elle.json", ".elle.json.gz", ".elle.json.zst"),
    NOTATION("notation", Directory.NONE, ".txt", ".txt.gz", ".txt.zst"),
    TIMEKILLER("timekiller", Directory.NONE, ".json", ".json.gz", ".json.zst"),
    DBCOP("dbcop", Directory.FOLDER, ".bincode"),
    DBCOP_JSON("dbcop-json", Directory.NONE, ".dbcop.json"),
    HIST("hist", Directory.NONE, ".hist"),
    PLUME("plume", Directory.NONE, ".plume"),
    AWDIT("awdit", Directory.NONE, ".awdit"),
    COBRA("cobra", Directory.FOLDER, ".log"),
    TABLE("table", Directory.PARTS, ".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst"),
    DEBEZIUM("debezium", Directory.PARTS),
    TEST_DECODING("test-decoding", Directory.PARTS),
    WAL2JSON("wal2json", Directory.PARTS),
    MYSQLBINLOG("mysqlbinlog", Directory.PARTS),
    COCKROACH("cockroach", Directory.PARTS),
    TIDB("tidb", Directory.PARTS),
    VIPER("viper", Directory.FOLDER),
    ETCD("etcd", Directory.FOLDER);

    /** Alternative names. */
    private static final Map<String, Format> OTHER_NAMES = Map.ofEntries(
            Map.entry("csv", TABLE),
            Map.entry("tsv", TABLE),
            Map.entry("json-table", TABLE),
            Map.entry("parquet-table", TABLE),
            Map.entry("test_decoding", TEST_DECODING),
            Map.entry("binlog", MYSQLBINLOG),
            Map.entry("cockroachdb", COCKROACH),
            Map.entry("changefeed", COCKROACH),
            Map.entry("jepsen", EDN),
            Map.entry("porcupine", ETCD));

    final String spelling;

    final Directory directory;

    final List<String> extensions;

    Format(String spelling, Directory directory, String... extensions) {
        this.spelling = spelling;
        this.directory = directory;
        this.extensions = List.of(extensions);
    }

    /** Returns whether the format can store complete histories. */
    boolean isOurs() {
        return this == PARQUET || this == ARROW || this == JSON_LINES || this == NOTATION;
    }

    /** Returns the format with this name, or null. */
    static @Nullable Format named(String name) {
        for (Format format : values()) {
            if (format.spelling.equals(name)) {
                return format;
            }
        }
        return OTHER_NAMES.get(name);
    }

    /** Returns the format of a file's extension, the longest if several match; or null. */
    static @Nullable Format byExtension(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        Format found = null;
        int length = 0;
        for (Format format : values()) {
            for (String extension : format.extensions) {
                if (extension.length() > length && name.endsWith(extension)) {
                    found = format;
                    length = extension.length();
                }
            }
        }
        return found;
    }

    // Uses switches instead of method references, so that a library is loaded only when its format is used.

    /**
     * Opens files.
     *
     * @param root folder below which names of folders contain values; null if none do
     */
    HistorySource open(String uri, @Nullable Path root, List<Path> files, FormatChoice choice) throws IOException {
        return switch (this) {
            case PARQUET -> ParquetHistorySource.open(uri, files);
            case ARROW -> new ArrowHistorySource(uri, files);
            case JSON_LINES -> LineSource.jsonLines(uri, files);
            case EDN -> JepsenSource.edn(uri, files.get(0));
            case ELLE_JSON -> JepsenSource.json(uri, files.get(0));
            case NOTATION -> LineSource.notation(uri, files);
            case TIMEKILLER -> new TimeKillerSource(uri, files);
            case DBCOP -> InteropSource.dbcop(uri, files);
            case DBCOP_JSON -> InteropSource.dbcopJson(uri, files);
            case HIST -> InteropSource.hist(uri, files);
            case PLUME -> InteropSource.plume(uri, files);
            case AWDIT -> InteropSource.awdit(uri, files);
            case COBRA -> InteropSource.cobra(uri, files);
            case TABLE -> new TableSource(uri, root, files, choice.columns());
            case DEBEZIUM, TEST_DECODING, WAL2JSON, MYSQLBINLOG, COCKROACH, TIDB ->
                ChangeSource.open(spelling, uri, files, choice.columns());
            case VIPER -> InteropSource.viper(uri, files);
            case ETCD -> InteropSource.etcd(uri, files);
        };
    }

    HistoryWriter create(Path file) throws IOException {
        return switch (this) {
            case PARQUET -> new ColumnarWriter(file, this, ParquetHistoryWriter::new);
            case ARROW -> new ColumnarWriter(file, this, ArrowHistoryWriter::new);
            case JSON_LINES -> new JsonLinesWriter(file);
            case EDN -> JepsenWriter.edn(file);
            case ELLE_JSON -> JepsenWriter.json(file);
            case NOTATION -> new NotationWriter(file);
            case TIMEKILLER -> new TimeKillerWriter(file);
            case DBCOP -> SessionTextWriter.dbcop(file);
            case DBCOP_JSON -> SessionTextWriter.dbcopJson(file);
            case HIST -> SessionTextWriter.hist(file);
            case PLUME -> new PlumeWriter(file);
            case AWDIT -> SessionTextWriter.awdit(file);
            case COBRA -> new CobraWriter(file);
            case TABLE -> new CsvWriter(file);
            case DEBEZIUM, TEST_DECODING, WAL2JSON, MYSQLBINLOG, COCKROACH, TIDB, VIPER, ETCD ->
                throw new IllegalArgumentException("format is read and not written: format=%s expected=%s"
                        .formatted(spelling, String.join("|", Histories.writableFormatNames())));
        };
    }

    /** Returns whether histories can be written in the format. */
    boolean isWritable() {
        return switch (this) {
            case DEBEZIUM, TEST_DECODING, WAL2JSON, MYSQLBINLOG, COCKROACH, TIDB, VIPER, ETCD -> false;
            case PARQUET, ARROW, JSON_LINES, EDN, ELLE_JSON, NOTATION, TIMEKILLER -> true;
            case DBCOP, DBCOP_JSON, HIST, PLUME, AWDIT, COBRA, TABLE -> true;
        };
    }

    /** Returns the column groups that files of the format can store. */
    Set<ColumnGroup> columns() {
        return switch (this) {
            case PARQUET, ARROW, JSON_LINES, NOTATION -> ColumnGroup.all();
            case EDN, ELLE_JSON -> EnumSet.of(ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS, ColumnGroup.EXTRA);
            case TIMEKILLER -> EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.OPERATIONS);
            case DBCOP, DBCOP_JSON, HIST, PLUME, AWDIT -> EnumSet.of(ColumnGroup.OPERATIONS);
            case COBRA -> EnumSet.of(ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS, ColumnGroup.WRITERS);
            case VIPER -> EnumSet.of(ColumnGroup.OPERATIONS);
            case ETCD ->
                EnumSet.of(
                        ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS, ColumnGroup.VERSIONS);
            case DEBEZIUM, TEST_DECODING, WAL2JSON, MYSQLBINLOG, COCKROACH, TIDB ->
                EnumSet.noneOf(ColumnGroup.class); // writes in commit order, and no reads
            case TABLE -> {
                Set<ColumnGroup> columns = ColumnGroup.all();
                columns.remove(ColumnGroup.PREDICATES);
                yield columns;
            }
        };
    }

    /** Meaning of a directory in a format. */
    enum Directory {
        /** Directories are not histories. */
        NONE,
        /** A directory is one history, in parts with any names. */
        PARTS,
        /** A directory is one history, in files with fixed names. */
        FOLDER
    }
}
