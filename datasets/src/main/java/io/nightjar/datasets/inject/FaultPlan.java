package io.nightjar.datasets.inject;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The changes to a history: the chosen sites, and their edits in the order of rows. */
public final class FaultPlan {

    final List<FaultSite> sites;
    final List<PlannedEdit> edits = new ArrayList<>();

    /** An edit and the ordinal of the site that it belongs to. */
    record PlannedEdit(int site, TxnEdit edit) {}

    /** @param greatestValue no transaction of the history wrote a greater one */
    FaultPlan(List<FaultSite> sites, long greatestValue) {
        this.sites = sites;
        for (int site = 0; site < sites.size(); site++) {
            long unwritten = Math.addExact(greatestValue, 1 + site);
            for (TxnEdit edit : sites.get(site).edits) {
                edits.add(new PlannedEdit(site, edit.withSynthetic(unwritten)));
            }
        }
        edits.sort(Comparator.comparingLong(planned -> planned.edit().txnId()));
    }
}
