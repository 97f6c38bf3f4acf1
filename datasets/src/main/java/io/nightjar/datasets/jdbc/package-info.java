/**
 * Workloads against real databases, with nothing but {@code java.sql}: how a database is reached, the tables of a workload, and
 * what one session does and sees. It classifies failures and never retries; the caller, which runs sessions, decides
 * what comes next.
 */
@NullMarked
package io.nightjar.datasets.jdbc;

import org.jspecify.annotations.NullMarked;
