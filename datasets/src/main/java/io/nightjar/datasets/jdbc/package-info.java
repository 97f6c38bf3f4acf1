/**
 * Workloads against real databases, using only {@code java.sql}: the connection to a database, the tables of a
 * workload, and the operations of one session. It classifies failures and never retries; the caller, which runs
 * sessions, decides how to continue.
 */
@NullMarked
package io.nightjar.datasets.jdbc;

import org.jspecify.annotations.NullMarked;
