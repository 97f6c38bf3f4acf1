/**
 * Recording of a history: session threads run a workload against a database, and their observations are written to disk
 * in part files, which are merged into one file at the end. The package depends on no engine and no checker.
 */
@NullMarked
package io.nightjar.jobs.record;

import org.jspecify.annotations.NullMarked;
