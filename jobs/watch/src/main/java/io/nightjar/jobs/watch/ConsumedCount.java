package io.nightjar.jobs.watch;

/**
 * What has been taken from a connection or a request, in lines and transactions.
 *
 * @param lines up to the last transaction that was taken
 * @param txns transactions, those that were known before among them
 */
record ConsumedCount(long lines, long txns) {

    ConsumedCount and(ConsumedCount more) {
        return new ConsumedCount(Math.max(lines, more.lines), txns + more.txns);
    }
}
