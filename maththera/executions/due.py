"""When a `schedule:` is due."""

from datetime import datetime


def is_due(cron: str, minute: datetime) -> bool:
    """Whether the five fields of a schedule, which the checker has let pass, name this minute. As cron has it, a day
    fits when either of day and weekday does, if both are given."""
    from celery.schedules import crontab  # a third of a second, for those alone who have schedules

    when = crontab.from_string(cron)
    days, weekdays = minute.day in when.day_of_month, minute.isoweekday() % 7 in when.day_of_week
    _, _, day, _, weekday = cron.split()
    day_fits = (days or weekdays) if day != "*" and weekday != "*" else (days and weekdays)
    return minute.minute in when.minute and minute.hour in when.hour and minute.month in when.month_of_year and day_fits
