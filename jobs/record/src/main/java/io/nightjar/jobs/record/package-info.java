/**
 * Recording a history: sessions on threads run a workload against a database, what they saw goes to disk part by part, and
 * becomes one file at the end. Knows no engine and no checker.
 */
@NullMarked
package io.nightjar.jobs.record;

import org.jspecify.annotations.NullMarked;
