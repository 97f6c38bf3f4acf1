package io.nightjar.pipeline.decide;

import io.nightjar.pipeline.partition.Component;
import java.util.List;

/**
 * Components that a decision needs searched before it can go on, in any order and on any thread or machine.
 *
 * @param how they are to be searched
 * @param components the largest first; none if nothing is left to search
 */
public record PendingComponents(ComponentSearch how, List<Component> components) {}
