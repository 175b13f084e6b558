from sqlalchemy import select

from maththera.learners.database import Database
from maththera.learners.records import Review
from maththera.learners.tables import reviews


async def review_queue(database: Database) -> list[Review]:
    """Everything in the queue, the oldest first."""
    columns = select(reviews.c.kind, reviews.c.payload).order_by(reviews.c.review_id)
    return [Review(*row) for row in await database.run(lambda connection: connection.execute(columns))]
