package io.nightjar.jobs.check;

import io.nightjar.pipeline.decide.ComponentAnswer;
import io.nightjar.pipeline.decide.ComponentSearch;
import io.nightjar.pipeline.split.Component;
import java.util.List;

/** Who searches the components of a group, if not the threads that decide the group. */
@FunctionalInterface
public interface GroupSearch {

    /**
     * Asked once for each group, when its components are known.
     *
     * @param how they are to be searched
     * @param components the largest first
     */
    Searched search(ComponentSearch how, List<Component> components);

    /**
     * What became of the components.
     *
     * @param isPutAside whether the group is to be concluded by somebody else
     * @param answers of all components by number; null if they are to be searched here after all
     */
    record Searched(boolean isPutAside, List<ComponentAnswer> answers) {

        /** The threads that decide the group are to search them. */
        public static final Searched HERE = new Searched(false, null);

        /** The group is concluded elsewhere, once its components were searched. */
        public static final Searched ASIDE = new Searched(true, null);

        /** They were searched. */
        public static Searched with(List<ComponentAnswer> answers) {
            return new Searched(false, answers);
        }
    }
}
