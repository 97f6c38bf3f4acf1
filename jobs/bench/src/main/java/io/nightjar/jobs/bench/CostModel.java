package io.nightjar.jobs.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The growth of seconds with size: a start-up and a constant for each unit, fitted by least squares of the relative
 * error.
 *
 * @param growth the exponent between the two largest places, start-up taken off: 1 is linear; NaN where their spreads
 *     overlap or the smaller one costs hardly more than the start-up, so that no exponent can be determined
 * @param worstError the largest relative distance of a place from the line
 */
record CostModel(double startSeconds, double secondsPerUnit, double growth, double worstError) {

    /** Of the start-up: below so much the rest is noise. */
    private static final double NOTICEABLE = 1.1;

    /** Fits a model to a line; null where fewer than three places of a numeric axis were measured. */
    static @Nullable CostModel of(ChartLine line) {
        List<ChartLine.Place> places =
                line.places().stream().filter(place -> place.runs() > 0).toList();
        if (places.size() < 3 || !places.stream().allMatch(place -> place.x().matches("[0-9]+(\\.[0-9]+)?"))) {
            return null;
        }
        // Minimizes sum(((a + b x) - y)^2 / y^2), so that small sizes count as much as large ones.
        double one = 0;
        double x1 = 0;
        double x2 = 0;
        double y1 = 0;
        double xy = 0;
        for (ChartLine.Place place : places) {
            double x = Double.parseDouble(place.x());
            double weight = 1 / (place.median() * place.median());
            one += weight;
            x1 += weight * x;
            x2 += weight * x * x;
            y1 += weight * place.median();
            xy += weight * x * place.median();
        }
        double determinant = one * x2 - x1 * x1;
        double slope = (one * xy - x1 * y1) / determinant;
        double start = (y1 - slope * x1) / one;
        if (start < 0) {
            start = 0;
            slope = xy / x2;
        }
        double worst = 0;
        for (ChartLine.Place place : places) {
            double predicted = start + slope * Double.parseDouble(place.x());
            worst = Math.max(worst, Math.abs(predicted - place.median()) / place.median());
        }
        ChartLine.Place last = places.get(places.size() - 1);
        ChartLine.Place before = places.get(places.size() - 2);
        boolean hasGrown = last.min() > before.max() && before.median() > NOTICEABLE * start;
        double growth = !hasGrown
                ? Double.NaN
                : Math.log(Math.max(1e-9, last.median() - start) / Math.max(1e-9, before.median() - start))
                        / Math.log(Double.parseDouble(last.x()) / Double.parseDouble(before.x()));
        return new CostModel(start, slope, growth, worst);
    }
}
