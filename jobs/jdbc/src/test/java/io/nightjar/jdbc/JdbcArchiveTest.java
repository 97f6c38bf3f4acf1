package io.nightjar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jdbc.RecordedTable.RowImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of an archive, also when the disk fails. */
class JdbcArchiveTest {

    @TempDir
    private Path directory;

    @Test
    void initialRowsAreOneTransactionBeforeAllOthers() throws Exception {
        JdbcArchive archive = new JdbcArchive(directory);
        long loader = load(archive, "t/1", "t/2");
        end(archive);
        assertThat(load(archive, "later/1")).isEqualTo(loader);
        end(archive);
        archive.end();

        assertThat(directory)
                .isDirectoryNotContaining(file -> file.getFileName().toString().startsWith("."));
        assertThat(lines("part-00000.jsonl"))
                .hasSize(3)
                .first()
                .isEqualTo(
                        "{\"txn\":1,\"session\":0,\"seq\":0,\"status\":\"committed\",\"ops\":[[\"w\",\"t/1\",{\"id\":1}],"
                                + "[\"w\",\"t/2\",{\"id\":1}],[\"w\",\"later/1\",{\"id\":1}]],\"extra\":{\"initial\":true}}");
        assertThat(lines("part-00000.jsonl").subList(1, 3))
                .allMatch(line -> line.matches("\\{\"txn\":[23],\"session\":1,.*"));
    }

    @Test
    void rowsBehindTheMarkAreNotLoaded() throws Exception {
        JdbcArchive archive = new JdbcArchive(directory);
        end(archive);
        try (LoadedRows rows = archive.load()) {
            rows.add(new RowImage("whole/1", "{}"));
            rows.mark();
            for (int row = 0; row < 10_000; row++) {
                rows.add(new RowImage("half/" + row, "{}"));
            }
            rows.reset();
            rows.add(new RowImage("half/0", "{}"));
        }
        archive.end();

        assertThat(lines("part-00000.jsonl")).hasSize(2);
        assertThat(lines("part-00000.jsonl").get(0)).contains("\"ops\":[[\"w\",\"whole/1\",{}]],");
    }

    @Test
    void aPartThatIsFullIsFollowedByAnother() throws Exception {
        JdbcArchive archive = new JdbcArchive(directory, 1);
        end(archive);
        end(archive);
        load(archive, "t/1");
        end(archive);
        archive.end();

        assertThat(lines("part-00000.jsonl")).hasSize(2).first().asString().contains("\"session\":0,");
        assertThat(lines("part-00001.jsonl")).hasSize(1);
        assertThat(lines("part-00002.jsonl")).hasSize(1);
        assertThat(archive.isBroken()).isFalse();
    }

    @Test
    void unwritablePartEndsOnlyTheRecording() throws Exception {
        JdbcArchive archive = new JdbcArchive(directory, 1);
        end(archive);
        Files.createFile(directory.resolve("part-00001.jsonl"));

        end(archive);
        load(archive, "t/1");
        archive.end();

        assertThat(archive.isBroken()).isTrue();
        assertThat(lines("part-00000.jsonl")).hasSize(1);
    }

    /** Adds rows to the loader; returns its id. */
    private static long load(JdbcArchive archive, String... keys) {
        try (LoadedRows rows = archive.load()) {
            for (String key : keys) {
                rows.add(new RowImage(key, "{\"id\":1}"));
            }
            rows.mark();
        }
        return archive.loaderTxn();
    }

    private static void end(JdbcArchive archive) {
        JdbcTxn txn = new JdbcTxn(archive.nextTxn(), 1, 0, JdbcTxn.nowNs(), "serializable", true);
        txn.end(JdbcTxn.Status.COMMITTED);
        archive.ended(txn);
    }

    private List<String> lines(String part) throws Exception {
        return Files.readString(directory.resolve(part)).strip().lines().toList();
    }
}
