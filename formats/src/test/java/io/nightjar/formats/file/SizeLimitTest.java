package io.nightjar.formats.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.registry.Histories;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A part that exceeds the size limit is rejected with its location and the sufficient amount of memory. */
class SizeLimitTest {

    @TempDir
    private Path folder;

    @Test
    void limitsFollowTheHeap() {
        assertThat(SizeLimit.ROW.bytes(1L << 30)).isEqualTo(1 << 25);
        assertThat(SizeLimit.ROW.bytes(1L << 20)).isEqualTo(1 << 20);
        assertThat(SizeLimit.ROW.bytes(1L << 40)).isEqualTo(1 << 28);
        assertThat(SizeLimit.PAGE.bytes(1L << 30)).isEqualTo(1 << 27);
    }

    @Test
    void theMemoryThatIsAdvisedIsEnough() {
        long bytes = 100L << 20;
        String advice = SizeLimit.ROW.advice(bytes);
        long memory = Long.parseLong(advice.replaceAll("\\D", "")) << 20;

        assertThat(advice).startsWith("--memory ").endsWith("m would do");
        assertThat(SizeLimit.ROW.bytes(memory - memory / 10 - (96L << 20))).isGreaterThanOrEqualTo((int) bytes);
        assertThat(SizeLimit.ROW.advice(1L << 31))
                .isEqualTo("none may be larger than 268435456 bytes, with any --memory");
    }

    @Test
    void advisedMemorySufficesWithFlink() {
        long heapOf512m = (512L * 9 / 10 - 120) * 5 / 8 << 20;
        for (long needed = 300L << 20; needed < 30L << 30; needed *= 2) {
            long bound = HeapSizing.bound(needed, 512L << 20, heapOf512m) >> 20;

            assertThat((bound * 9 / 10 - 120) * 5 / 8).isGreaterThanOrEqualTo((needed >> 20) - 1);
        }
    }

    @Test
    void oversizedLineIsRejectedWithLocationAndLength() throws IOException {
        Path file = folder.resolve("h.jsonl");
        int length = 2 * SizeLimit.ROW.bytes() + 5;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            out.write("{\"session\":0,\"ops\":[]}\n".getBytes(StandardCharsets.US_ASCII));
            write(out, length);
            out.write('\n');
        }
        try (HistorySource source = Histories.open(file, null);
                SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
            assertThatThrownBy(reader::next)
                    .isInstanceOf(MalformedHistoryException.class)
                    .hasMessageStartingWith("[" + file + " line=2] line too long: bytes=" + length + " limitBytes="
                            + SizeLimit.ROW.bytes() + "; ");
        }
    }

    @Test
    void oversizedTimeKillerTransactionIsRejectedWithLocationAndLength() throws IOException {
        assertTooLong(
                "h.json",
                "timekiller",
                "[{\"tid\":1,\"sid\":0,\"sts\":{\"p\":1,\"l\":0},\"cts\":{\"p\":2,\"l\":0},\"ops\":[]},\n",
                " row=2] transaction too long: bytes=");
    }

    @Test
    void oversizedJepsenOperationIsRejectedWithLocationAndLength() throws IOException {
        String first = "{:type :invoke, :process 0, :f :txn, :value []}\n";
        assertTooLong("h.edn", "edn", first, " line=2] operation too long: bytes=");
    }

    /** Writes a string in brackets after a first row, a little longer than twice the limit. */
    private void assertTooLong(String name, String format, String first, String expected) throws IOException {
        Path file = folder.resolve(name);
        int length = 2 * SizeLimit.ROW.bytes() + 5;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            out.write(first.getBytes(StandardCharsets.US_ASCII));
            out.write("{\"".getBytes(StandardCharsets.US_ASCII));
            write(out, length - 4);
            out.write("\"}\n]".getBytes(StandardCharsets.US_ASCII));
        }
        try (HistorySource source = Histories.open(file, format);
                SliceReader reader = source.open(0, ColumnGroup.all(), BadRowHandler.REJECT)) {
            assertThatThrownBy(reader::next)
                    .isInstanceOf(MalformedHistoryException.class)
                    .hasMessageStartingWith("[" + file + expected + length)
                    .hasMessageContaining(" limitBytes=" + SizeLimit.ROW.bytes() + " ")
                    .hasMessageMatching(".*; (--memory \\d+m would do|none may be larger than .*)");
        }
    }

    private static void write(OutputStream out, int length) throws IOException {
        byte[] some = "x".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
        for (int written = 0; written < length; written += some.length) {
            out.write(some, 0, Math.min(some.length, length - written));
        }
    }
}
