/** What is done with a history: pure functions over columns. Knows no files, no threads, no engine. */
package io.nightjar.pipeline;
