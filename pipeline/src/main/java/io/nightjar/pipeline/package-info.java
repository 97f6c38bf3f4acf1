/** Algorithms on a history: pure functions over columns. The package depends on no files, threads or engine. */
package io.nightjar.pipeline;
