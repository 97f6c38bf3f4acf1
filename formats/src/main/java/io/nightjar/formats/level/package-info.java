/** Isolation levels, verdicts, anomalies and axioms as data. Contains no checks. */
@NullMarked
package io.nightjar.formats.level;

import org.jspecify.annotations.NullMarked;
