package io.nightjar.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jdbc.RecordedTable.RowImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of an archive, and not of the application, when the disk fails. */
class JdbcArchiveTest {

    private static final List<RowImage> ROWS = List.of(new RowImage("t/1", "{\"id\":1}"));

    @TempDir
    private Path directory;

    @Test
    void aPartThatIsFullIsFollowedByAnother() throws Exception {
        JdbcArchive archive = new JdbcArchive(directory, 1);
        archive.initial(ROWS);
        archive.initial(ROWS);
        archive.end();

        assertThat(directory.resolve("part-00000.jsonl")).content().contains("\"txn\":1,");
        assertThat(directory.resolve("part-00001.jsonl")).content().contains("\"txn\":2,");
        assertThat(archive.isBroken()).isFalse();
    }

    @Test
    void aPartThatCannotBeBegunEndsTheRecordingAndNothingElse() throws Exception {
        JdbcArchive archive = new JdbcArchive(directory, 1);
        archive.initial(ROWS);
        Files.createFile(directory.resolve("part-00001.jsonl"));

        archive.initial(ROWS);
        archive.initial(ROWS);
        archive.end();

        assertThat(archive.isBroken()).isTrue();
        assertThat(directory.resolve("part-00000.jsonl")).content().contains("\"txn\":1,");
    }
}
