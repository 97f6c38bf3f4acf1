package io.nightjar.jobs.bench;

import java.util.ArrayList;
import java.util.List;

/** Maps values of an axis to a length in pixels. */
record Scale(double min, double max, boolean isLogarithmic, double fromPixel, double toPixel) {

    /** Returns a scale that includes all values, with round ends. */
    static Scale over(List<Double> values, boolean isLogarithmic, double fromPixel, double toPixel) {
        double min = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        double max = values.stream().mapToDouble(Double::doubleValue).max().orElse(10);
        if (isLogarithmic) {
            double first = Math.pow(10, Math.floor(Math.log10(Math.max(min, 1e-9)) + 1e-9));
            double low = min >= 3 * first ? 3 * first : first;
            double last = Math.pow(10, Math.ceil(Math.log10(Math.max(max, 1e-9)) - 1e-9));
            double high = max <= 0.3 * last ? 0.3 * last : last;
            return new Scale(low, high > low ? high : low * 10, true, fromPixel, toPixel);
        }
        if (max <= 0) {
            return new Scale(0, 1, false, fromPixel, toPixel); // all are 0
        }
        double step = step(max);
        return new Scale(0, Math.max(step, Math.ceil(max / step - 1e-9) * step), false, fromPixel, toPixel);
    }

    double pixel(double value) {
        double share = isLogarithmic
                ? (Math.log10(Math.max(value, min)) - Math.log10(min)) / (Math.log10(max) - Math.log10(min))
                : (value - min) / (max - min);
        return fromPixel + share * (toPixel - fromPixel);
    }

    /** Returns the values of lines and numbers: decades, with their thirds if they are few, or round steps. */
    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (!isLogarithmic) {
            for (double tick = min; tick <= max * (1 + 1e-9); tick += step(max)) {
                ticks.add(tick);
            }
            return ticks;
        }
        boolean isShort = Math.log10(max / min) < 2.5;
        for (int decade = (int) Math.floor(Math.log10(min)); decade <= Math.ceil(Math.log10(max)); decade++) {
            for (double unit : isShort ? new double[] {1, 3} : new double[] {1}) {
                double tick = unit * Math.pow(10, decade);
                if (tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9)) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }

    private static double step(double max) {
        double rough = Math.max(max, 1e-9) / 5;
        double decade = Math.pow(10, Math.floor(Math.log10(rough)));
        for (double unit : new double[] {1, 2, 5, 10}) {
            if (unit * decade >= rough * (1 - 1e-9)) {
                return unit * decade;
            }
        }
        return 10 * decade;
    }
}
