package io.nightjar.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows reach their files on either thread, or the thread that adds them gets the failure. */
class AsyncRowEncoderTest {

    private static final LakeRow.Ids IDS = new LakeRow.Ids("r1", "h1");
    private static final int MANY = 20_000; // several batches more than are written at once

    private final AsyncRowEncoder encoder = new AsyncRowEncoder();

    @Tag(Seeds.TAG)
    @Test
    void rowsReachTheirFilesInTheOrderInWhichTheyWereAdded() {
        for (long seed : Seeds.upTo(10)) {
            addToThreeFiles(seed);
        }
    }

    private static void addToThreeFiles(long seed) {
        AsyncRowEncoder encoder = new AsyncRowEncoder();
        Random random = new Random(seed);
        List<List<Long>> added = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<List<Long>> written = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<AsyncRowEncoder.Target> files = new ArrayList<>();
        written.forEach(of -> files.add(row -> of.add(number(row))));

        for (long i = 0; i < MANY; i++) {
            int file = random.nextInt(files.size());
            added.get(file).add(i);
            encoder.add(files.get(file), row(i));
            if (random.nextInt(5_000) == 0) {
                encoder.settle();
                assertThat(written).as("seed %d after %d rows", seed, i).isEqualTo(added);
            }
        }
        encoder.settle();
        encoder.close();

        assertThat(written).as("seed %d", seed).isEqualTo(added);
    }

    @Test
    void addThrowsIfFileCannotBeWritten() {
        LakeException full = LakeException.at("part-00000.parquet", "no space left on device", null);
        List<Long> written = new ArrayList<>();
        AsyncRowEncoder.Target file = failing(written, MANY / 2, full);

        assertThatThrownBy(() -> addAll(file)).isSameAs(full);
        encoder.close();

        assertThat(written).hasSize(MANY / 2).endsWith(MANY / 2 - 1L);
    }

    @Test
    void failureInLastRowsIsThrownWhenTheySettle() {
        IllegalStateException fault = new IllegalStateException("cells do not fit");
        addAll(failing(new ArrayList<>(), MANY - 1, fault));

        assertThatThrownBy(encoder::settle).isSameAs(fault);
        encoder.close();
    }

    @Test
    void errorIsThrownUnchanged() {
        OutOfMemoryError fault = new OutOfMemoryError("Java heap space");
        addAll(failing(new ArrayList<>(), MANY - 1, fault));

        assertThatThrownBy(encoder::settle).isSameAs(fault);
        encoder.close();
    }

    @Test
    void anInterruptLosesNoRow() {
        List<Long> written = new ArrayList<>();
        AsyncRowEncoder.Target file = row -> written.add(number(row));
        Thread.currentThread().interrupt();

        addAll(file);
        encoder.settle();

        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        assertThat(written).hasSize(MANY);
        encoder.close();
    }

    /** Files are closed next, and must not be closed under a row that is being written. */
    @Test
    void closingWaitsForWhatIsBeingWrittenAndWritesNothingMore() throws InterruptedException {
        CountDownLatch isClosing = new CountDownLatch(1);
        List<Long> written = new ArrayList<>();
        addAll(row -> {
            if (Thread.currentThread().getName().equals("rows")) {
                await(isClosing, number(row));
            }
            written.add(number(row));
        });
        isClosing.countDown();

        encoder.close();

        int many = written.size();
        assertThat(many).isBetween(MANY - 1_024, MANY);
        TimeUnit.MILLISECONDS.sleep(20);
        assertThat(written).hasSize(many);
    }

    /** Delays the last batch until it is being closed; the thread that adds waits for those before it. */
    private static void await(CountDownLatch latch, long number) {
        if (number >= MANY - MANY % 1_024 - 1_024) {
            try {
                latch.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
    }

    private static AsyncRowEncoder.Target failing(List<Long> written, long at, Throwable failure) {
        return row -> {
            if (number(row) == at) {
                if (failure instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) failure;
            }
            written.add(number(row));
        };
    }

    private void addAll(AsyncRowEncoder.Target file) {
        for (long i = 0; i < MANY; i++) {
            encoder.add(file, row(i));
        }
    }

    private static LakeRow row(long number) {
        return new LakeRow.DeadLetter(IDS, "orders.parquet", number, "unknown op kind", "{}");
    }

    private static long number(LakeRow row) {
        return ((LakeRow.DeadLetter) row).sourceRow();
    }
}
