package io.nightjar.pipeline.decide;

import io.nightjar.pipeline.partition.Component;
import java.util.List;

/**
 * Components that must be searched before a decision can continue, in any order and on any thread or machine.
 *
 * @param how they are to be searched
 * @param components the largest first; none if nothing is left to search
 */
public record PendingComponents(ComponentSearch how, List<Component> components) {}
