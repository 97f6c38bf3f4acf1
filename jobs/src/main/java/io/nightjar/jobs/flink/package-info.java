/** The engine for many machines. */
package io.nightjar.jobs.flink;
