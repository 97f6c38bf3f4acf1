/** Topics of Kafka as sources of transactions. */
package io.nightjar.jobs.kafka;
