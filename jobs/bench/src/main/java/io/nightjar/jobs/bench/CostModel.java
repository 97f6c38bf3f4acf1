package io.nightjar.jobs.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The growth of seconds with size: a start-up and a constant for each unit, fitted by least squares of the relative
 * error.
 *
 * @param growth the exponent between the two largest points, start-up taken off: 1 is linear; NaN where their spreads
 *     overlap or the smaller one costs hardly more than the start-up, so that no exponent can be determined
 * @param worstError the largest relative distance of a point from the line
 */
record CostModel(double startSeconds, double secondsPerUnit, double growth, double worstError) {

    /** Of the start-up: below so much the rest is noise. */
    private static final double NOTICEABLE = 1.1;

    /** Fits a model to a line; null where fewer than three points of a numeric axis were measured. */
    static @Nullable CostModel of(ChartLine line) {
        List<ChartLine.Point> points =
                line.points().stream().filter(point -> point.runs() > 0).toList();
        if (points.size() < 3 || !points.stream().allMatch(point -> point.x().matches("[0-9]+(\\.[0-9]+)?"))) {
            return null;
        }
        // Minimizes sum(((a + b x) - y)^2 / y^2), so that small sizes count as much as large ones.
        double one = 0;
        double x1 = 0;
        double x2 = 0;
        double y1 = 0;
        double xy = 0;
        for (ChartLine.Point point : points) {
            double x = Double.parseDouble(point.x());
            double weight = 1 / (point.median() * point.median());
            one += weight;
            x1 += weight * x;
            x2 += weight * x * x;
            y1 += weight * point.median();
            xy += weight * x * point.median();
        }
        double determinant = one * x2 - x1 * x1;
        double slope = (one * xy - x1 * y1) / determinant;
        double start = (y1 - slope * x1) / one;
        if (start < 0) {
            start = 0;
            slope = xy / x2;
        }
        double worst = 0;
        for (ChartLine.Point point : points) {
            double predicted = start + slope * Double.parseDouble(point.x());
            worst = Math.max(worst, Math.abs(predicted - point.median()) / point.median());
        }
        ChartLine.Point last = points.get(points.size() - 1);
        ChartLine.Point before = points.get(points.size() - 2);
        boolean hasGrown = last.min() > before.max() && before.median() > NOTICEABLE * start;
        double growth = !hasGrown
                ? Double.NaN
                : Math.log(Math.max(1e-9, last.median() - start) / Math.max(1e-9, before.median() - start))
                        / Math.log(Double.parseDouble(last.x()) / Double.parseDouble(before.x()));
        return new CostModel(start, slope, growth, worst);
    }
}
