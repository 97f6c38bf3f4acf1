/** Topics of Kafka as sources of transactions. */
@NullMarked
package io.nightjar.jobs.kafka;

import org.jspecify.annotations.NullMarked;
