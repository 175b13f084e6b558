"""`python -m tests.support.patient_maththera serve …`: the service as people run it, with the patience of tests."""

from maththera.cli import main
from tests.support.patience import be_patient

if __name__ == "__main__":
    be_patient()
    main()
