# botattack in a container:
#   docker build -t botattack .
#   docker run --rm --user "$(id -u)" -v "$PWD:/audits" botattack run campaign.yaml
# A bot on the machine itself needs --network host. Secrets come with -e NAME or --env-file .env.
FROM python:3.13-slim
COPY . /src
RUN python -m pip install --no-cache-dir -c /src/constraints.txt "/src[english]" && rm -rf /src
RUN useradd --create-home --uid 1000 botattack && mkdir /audits && chown botattack /audits
# Any user can write here, so --user works. What botattack remembers of bots is lost with the container.
ENV XDG_CONFIG_HOME=/tmp
USER botattack
WORKDIR /audits
ENTRYPOINT ["botattack"]
CMD ["--help"]
