"""What happens night after night: the suite asked and compared, the alarm raised, the job that starts it."""
