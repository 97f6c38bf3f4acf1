package io.nightjar.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Proxy of a driver's object: calls that are not handled are passed through. */
abstract class ProxyCalls implements InvocationHandler {

    private final Object target;
    private @Nullable Object proxy;

    ProxyCalls(Object target) {
        this.target = target;
    }

    /** Returns the proxy, with all JDBC interfaces of the object. */
    final <T> T proxy(Class<T> type) {
        if (proxy == null) {
            Set<Class<?>> interfaces = new LinkedHashSet<>();
            interfaces.add(type);
            for (Class<?> each = target.getClass(); each != null; each = each.getSuperclass()) {
                for (Class<?> one : each.getInterfaces()) {
                    if (one.getName().startsWith("java.sql.")) {
                        interfaces.add(one);
                    }
                }
            }
            proxy = Proxy.newProxyInstance(
                    ProxyCalls.class.getClassLoader(), interfaces.toArray(new Class<?>[0]), this);
        }
        return type.cast(proxy);
    }

    @Override
    public final @Nullable Object invoke(Object self, Method method, Object @Nullable [] given) throws Throwable {
        Object[] args = given == null ? new Object[0] : given;
        return switch (method.getName()) {
            case "equals" -> self == args[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "recorded " + target;
            case "unwrap" -> ((Class<?>) args[0]).isInstance(self) ? self : unwrapped(method, args);
            case "isWrapperFor" -> ((Class<?>) args[0]).isInstance(self) || (boolean) through(method, args);
            default -> call(method, args);
        };
    }

    @Nullable
    Object unwrapped(Method method, Object[] args) throws Throwable {
        return through(method, args);
    }

    /** Returns the result for the application; null if the method returns null or nothing. */
    abstract @Nullable Object call(Method method, Object[] args) throws Throwable;

    /** Passes a call through unchanged. */
    final Object through(Method method, Object[] args) throws Throwable {
        return on(target, method, args);
    }

    /** Calls a driver; a checked exception that the driver does not declare is wrapped. */
    static <T> T ask(SessionRecorder.Answered<T> call) throws SQLException {
        try {
            return call.run();
        } catch (SQLException | RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable undeclared) {
            throw new SQLException(undeclared);
        }
    }

    /** Calls a method of an object; the caller is responsible for a null result that the method does not allow. */
    static Object on(Object object, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(object, args);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
