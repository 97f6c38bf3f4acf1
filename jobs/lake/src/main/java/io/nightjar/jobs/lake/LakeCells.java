package io.nightjar.jobs.lake;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Consumer of the cells of a row in the order of the columns; null leaves a cell empty. */
public interface LakeCells {

    LakeCells text(@Nullable String cell);

    LakeCells number(long cell);

    LakeCells number(@Nullable Long cell);

    LakeCells fraction(double cell);

    LakeCells flag(boolean cell);

    LakeCells time(Instant cell);
}
