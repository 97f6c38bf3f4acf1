package io.nightjar.pipeline.predicate;

import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.parser.feature.Feature;
import net.sf.jsqlparser.statement.Statement;

/**
 * JSqlParser with a limit of steps: it tries each bracket in several ways, so that nested brackets may take exponential
 * time.
 */
final class BoundedParser extends CCJSqlParser {

    private final ParseBudget budget;
    private final int maxSteps;
    private int steps;

    private BoundedParser(String sql, boolean isComplex, ParseBudget budget) {
        super(new StringProvider(sql));
        withAllowComplexParsing(isComplex);
        this.budget = budget;
        this.maxSteps = budget.steps();
    }

    /**
     * Parses exactly one statement, without trailing text.
     *
     * @throws ConditionException if the budget is exceeded
     */
    static Statement parse(String sql, ParseBudget budget) throws ParseException {
        if (budget.isRefused(sql)) {
            throw tooDeep();
        }
        try {
            return anyway(sql, budget);
        } catch (ConditionException tooDeep) {
            budget.refuse(sql);
            throw tooDeep;
        }
    }

    private static Statement anyway(String sql, ParseBudget budget) throws ParseException {
        try {
            return new BoundedParser(sql, false, budget).counted();
        } catch (ParseException notSimple) {
            return new BoundedParser(sql, true, budget)
                    .counted(); // such as comparisons of truth values, in much longer
        }
    }

    private static ConditionException tooDeep() {
        return new ConditionException("condition is nested too deeply to be understood");
    }

    private Statement counted() throws ParseException {
        try {
            return whole();
        } finally {
            budget.spent(steps);
        }
    }

    private Statement whole() throws ParseException {
        Statement statement = Statement();
        if (getNextToken().kind != EOF) {
            throw generateParseException();
        }
        return statement;
    }

    /** Counts a decision of the parser, at each bracket that may be one thing or another. */
    @Override
    public boolean getAsBoolean(Feature feature) {
        steps++;
        if (steps > maxSteps) {
            throw tooDeep();
        }
        return super.getAsBoolean(feature);
    }

    /** Creates the exception without the list of expected tokens, whose computation would repeat all attempts. */
    @Override
    public ParseException generateParseException() {
        return new ParseException("unexpected word: word=" + (token.next == null ? token : token.next).image);
    }
}
