/** Isolation levels, verdicts, anomalies and axioms as data. Decides nothing. */
@NullMarked
package io.nightjar.formats.level;

import org.jspecify.annotations.NullMarked;
