package io.nightjar.formats.source;

import io.nightjar.formats.arrow.ArrowHistorySource;
import io.nightjar.formats.arrow.ArrowHistoryWriter;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.jepsen.JepsenSource;
import io.nightjar.formats.jepsen.JepsenWriter;
import io.nightjar.formats.parquet.ParquetHistorySource;
import io.nightjar.formats.parquet.ParquetHistoryWriter;
import io.nightjar.formats.text.JsonLinesWriter;
import io.nightjar.formats.text.LineSource;
import io.nightjar.formats.text.NotationWriter;
import io.nightjar.formats.text.TimeKillerSource;
import io.nightjar.formats.text.TimeKillerWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The formats by name and extension, and who reads and writes each. */
enum Format {
    PARQUET("parquet", true, ".parquet"),
    ARROW("arrow", true, ".arrow", ".arrows", ".feather"),
    JSON_LINES("jsonl", true, ".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson"),
    EDN("edn", false, ".edn", ".edn.gz", ".edn.zst"),
    ELLE_JSON("elle-json", false, ".elle.json", ".elle.json.gz", ".elle.json.zst"),
    NOTATION("notation", false, ".txt", ".txt.gz", ".txt.zst"),
    TIMEKILLER("timekiller", false, ".json", ".json.gz", ".json.zst");

    final String spelling;

    /** Whether a directory of files in this format is one history. */
    final boolean hasParts;

    final List<String> extensions;

    Format(String spelling, boolean hasParts, String... extensions) {
        this.spelling = spelling;
        this.hasParts = hasParts;
        this.extensions = List.of(extensions);
    }

    /** The format of this name, or null. */
    static Format named(String name) {
        for (Format format : values()) {
            if (format.spelling.equals(name)) {
                return format;
            }
        }
        return null;
    }

    /** The format whose extension a file has, or null. */
    static Format byExtension(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        for (Format format : values()) {
            for (String extension : format.extensions) {
                if (name.endsWith(extension)) {
                    return format;
                }
            }
        }
        return null;
    }

    // Switches and not method references, so that a library is loaded only when its format is used.

    HistorySource open(String uri, List<Path> files) throws IOException {
        return switch (this) {
            case PARQUET -> ParquetHistorySource.open(uri, files);
            case ARROW -> new ArrowHistorySource(uri, files);
            case JSON_LINES -> LineSource.jsonLines(uri, files);
            case EDN -> JepsenSource.edn(uri, files.get(0));
            case ELLE_JSON -> JepsenSource.json(uri, files.get(0));
            case NOTATION -> LineSource.notation(uri, files);
            case TIMEKILLER -> new TimeKillerSource(uri, files);
        };
    }

    HistoryWriter create(Path file) throws IOException {
        return switch (this) {
            case PARQUET -> new ParquetHistoryWriter(file);
            case ARROW -> new ArrowHistoryWriter(file);
            case JSON_LINES -> new JsonLinesWriter(file);
            case EDN -> JepsenWriter.edn(file);
            case ELLE_JSON -> JepsenWriter.json(file);
            case NOTATION -> new NotationWriter(file);
            case TIMEKILLER -> new TimeKillerWriter(file);
        };
    }
}
