/** The execution of checks: the commands, the engine for one machine, the lake of anomaly tables and SQL over it. */
@NullMarked
package io.nightjar.jobs;

import org.jspecify.annotations.NullMarked;
