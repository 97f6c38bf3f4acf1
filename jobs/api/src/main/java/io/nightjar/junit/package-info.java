/**
 * JUnit 5 tests of a database: {@link io.nightjar.junit.IsolationExtension} records the transactions of a test's
 * threads and fails it with the explanation. Needs JUnit on the class path, which the artifact does not bring.
 */
@NullMarked
package io.nightjar.junit;

import org.jspecify.annotations.NullMarked;
