package io.nightjar.pipeline.predicate;

import io.nightjar.pipeline.predicate.RowExpression.Literal;
import io.nightjar.pipeline.predicate.RowExpression.Parameter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the conditions of a history that parses each template once: conditions that differ only in their constants
 * are parsed as one, with parameters instead of the constants, which are bound afterwards.
 */
final class ConditionTemplates {

    private static final Pattern CONSTANT =
            Pattern.compile("\\?|(?<![\\w?])'(?:[^']|'')*'(?!\\w)|(?<![\\w.?])\\d+(?:\\.\\d+)?(?![\\w.])");

    /** Text outside of constants that has, or introduces, other lexical rules. */
    private static final Pattern UNCLEAR = Pattern.compile("[\"`\\[\\\\$]|--|/\\*|\\?\\d");

    private static final int MAX_TEMPLATES = 1 << 12;

    private final ToIntFunction<String> columns;
    private final ParseBudget budget = new ParseBudget();
    private final Map<String, RowCondition> conditionOf = new HashMap<>(); // by template, null if it is not understood

    /** @param columns the ordinal of a column; it throws if the column is unknown */
    ConditionTemplates(ToIntFunction<String> columns) {
        this.columns = columns;
    }

    /** @throws ConditionException if it is not understood */
    RowCondition parse(String text) {
        if (text.length() > ConditionParser.MAX_LENGTH || UNCLEAR.matcher(text).find()) {
            return ConditionParser.parse(text, columns, budget);
        }
        StringBuilder template = new StringBuilder();
        List<RowExpression> arguments = new ArrayList<>();
        int params = 0;
        Matcher constant = CONSTANT.matcher(text);
        while (constant.find()) {
            String word = constant.group();
            constant.appendReplacement(template, "?");
            arguments.add(word.equals("?") ? new Parameter(params++) : literal(word));
        }
        constant.appendTail(template);
        if (params == arguments.size()) {
            return ConditionParser.parse(text, columns, budget);
        }
        RowCondition known = known(template.toString());
        return known == null
                ? ConditionParser.parse(text, columns, budget) // which throws with the reason
                : known.with(arguments, params);
    }

    private @Nullable RowCondition known(String template) {
        if (conditionOf.containsKey(template)) {
            return conditionOf.get(template);
        }
        RowCondition condition = null;
        try {
            condition = ConditionParser.parse(template, columns, budget);
        } catch (ConditionException notUnderstood) {
            // its conditions are tried one by one
        }
        if (conditionOf.size() < MAX_TEMPLATES) {
            conditionOf.put(template, condition);
        }
        return condition;
    }

    private static RowExpression literal(String word) {
        if (word.charAt(0) == '\'') {
            return new Literal(word.substring(1, word.length() - 1).replace("''", "'"));
        }
        BigDecimal number = new BigDecimal(word);
        return new Literal(word.indexOf('.') < 0 ? RowValues.narrow(number) : number);
    }
}
