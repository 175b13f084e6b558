from sqlalchemy import select

from maththera.store.database import Database
from maththera.store.review_queue import reviews
from maththera.store.tutoring_sessions import NewReview


async def review_queue(database: Database) -> list[NewReview]:
    """Everything in the queue, the oldest first."""
    columns = select(reviews.c.kind, reviews.c.payload).order_by(reviews.c.review_id)
    return [NewReview(*row) for row in await database.run(lambda connection: connection.execute(columns))]
